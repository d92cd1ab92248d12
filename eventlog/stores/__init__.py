"""Where a log's rows are kept: in memory, in an SQLite file, in PostgreSQL."""
