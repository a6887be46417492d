"""A running loop from outside: operators, and vehicles in another process, on loopback."""
