"""The commands, by what they are for; `cli.py` puts them together."""
