"""Motion of the vehicle: inertial, attitude, Doppler, satellite and shaft-speed sensors."""
