"""Bookmarks: what a character does next, predicted from what is kept of its past."""
