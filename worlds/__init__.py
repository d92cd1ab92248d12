"""Places and their rules: data in, drafts of events out."""
