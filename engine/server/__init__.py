"""A server that runs worlds, and a page that lets people see into them."""
