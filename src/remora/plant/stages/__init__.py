"""States and actuator outputs at the stage times of a time step."""
