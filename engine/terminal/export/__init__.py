"""Worlds, as others read them."""
