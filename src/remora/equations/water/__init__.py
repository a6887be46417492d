"""Motion and properties of water: current, waves, density."""
