"""Running and examining: the one room that sees all three others."""
