"""Lives made by rule: a person, years of what it leaves behind, and what that rests on."""
