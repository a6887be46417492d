"""Control laws and plant in one compiled loop."""
