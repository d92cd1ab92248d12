"""Questions of an exam that a model writes: what it is shown, what is checked, what is kept."""
