"""Looking after logs: what they hold, whether they are whole, copies in and out."""
