"""Control allocation: from a wrench to the commands of thrusters and fins."""
