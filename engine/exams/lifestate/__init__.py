"""LIFESTATE: does a character keep itself, the facts and its relations, episode after episode?"""
