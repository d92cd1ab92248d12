"""Banks of scenarios: listed, checked, grown."""
