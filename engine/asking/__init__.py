"""Questions put to characters at cursors."""
