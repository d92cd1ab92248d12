"""Minds: a moment in, an action out."""
