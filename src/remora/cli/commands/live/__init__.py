"""Commands for two processes: one plays a vehicle, the other runs its on-board parts."""
