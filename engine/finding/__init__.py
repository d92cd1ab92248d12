"""Tellings that are found: which earlier events a speech tells its hearers of."""
