"""Control laws: accelerations and forces from velocity errors."""
