"""CloneMem in and out: the traces of lives, and what is asked about them."""
