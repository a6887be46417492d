"""Pictures and summaries of simulated runs."""
