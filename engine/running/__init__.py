"""Many chains at once: from a plan to its report, announced, watched, stopped in order."""
