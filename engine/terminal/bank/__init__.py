"""Banks of scenarios."""
