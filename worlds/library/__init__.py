"""Bundled worlds, of our own writing."""
