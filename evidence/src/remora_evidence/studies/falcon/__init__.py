"""Studies of Proctor 2014: bench tests, steps of thrust and sensors of the Falcon."""
