"""A life of episodes between two people, judged and plotted."""
