"""Looking after a log."""
