"""`kind: thermometer`: the temperature of water that cools with depth."""

from remora.sensors import Measurement, SensorChannel, Status


class Thermometer(Measurement):
    """Temperature; arguments of the constructor are parameters of the data sheet."""

    channels = (SensorChannel("temperature", "K"),)

    def __init__(self, surface=288.0, gradient=0.1):
        self.surface, self.gradient = surface, gradient  # K, K/m

    def read(self, truth, environment):
        """The exact value; noise, latency, dropout and faults are added by Remora."""
        depth = truth.p_NB[2] - environment.surface_depth
        if depth <= 0.0:
            return Status.NO_LOCK, ()
        return Status.OK, (self.surface - self.gradient * depth,)
