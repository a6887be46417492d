"""Navigation filter of a vehicle from its sensor suite: inertial mechanisation aided by all other sensors."""
