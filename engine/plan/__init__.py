"""What is to be played: the plan's document, its mistakes, its template, and what comes of it."""
