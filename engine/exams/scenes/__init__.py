"""Exams that play scenes: seats for each side, worlds of the exam, what its judges say of them."""
