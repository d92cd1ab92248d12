"""View tokens."""
