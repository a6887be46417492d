"""Templates of compiled loops: functions and sizes of a filter are filled in as global names."""
