"""One chain: episode after episode, turn by turn, each call and each event on the log."""
