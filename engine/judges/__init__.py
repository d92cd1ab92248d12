"""Judges: what becomes of an episode when somebody looks at it who saw all of it, or of an answer."""
