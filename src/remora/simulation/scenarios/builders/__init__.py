"""From the entries of a scenario to the objects of a run."""
