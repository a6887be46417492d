"""Studies of our hydrodynamics inside MuJoCo."""
