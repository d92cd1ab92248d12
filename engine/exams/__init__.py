"""Examinations: characters or episodes put before judges, and a table."""
