"""CloneMem: a friend asks somebody, at a date, about years of its life."""
