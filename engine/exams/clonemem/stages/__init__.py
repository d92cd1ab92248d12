"""A life and the questions about it by a model, in four stages: who lives it and what its arcs are, what
happens from one major event to the next, what is written of it, what is asked."""
