"""Travel in a world: replay it to any moment, and ask who knew what, when."""
