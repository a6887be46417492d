"""Pictures and comparisons of logs."""
