"""4. Own sensor: a class with channels and read(); noise, latency, dropout, faults and log come with it."""

# %%
import math

import matplotlib.pyplot as plt

import remora
from remora.sensors import Measurement, SensorChannel, Status


# %% Arguments of the constructor are parameters of the data sheet.
class PlumeSensor(Measurement):
    """Concentration of a dissolved substance around its source."""

    channels = (SensorChannel("concentration", "kg/m3"),)

    def __init__(self, source, strength=1.0, width=5.0):
        self.source, self.strength, self.width = source, strength, width

    def read(self, truth, environment):
        """The exact value; errors are added by the framework."""
        if truth.p_NB[2] <= environment.surface_depth:
            return Status.NO_LOCK, ()
        distance = math.dist(truth.p_NB, self.source)
        return Status.OK, (self.strength * math.exp(-((distance / self.width) ** 2)),)


# %% The class itself stands in the scenario. In a file it would be "plume.py:PlumeSensor".
plume = {
    "name": "plume",
    "kind": PlumeSensor,
    "position": ["0.2 m", 0, 0],
    "rate": "10 Hz",
    "latency": "100 ms",
    "parameters": {"source": ["5 m", "1 m", "5 m"], "strength": "2 g/m3", "std": "0.05 g/m3", "dropout": 0.1},
}
scenario = remora.load_scenario("dive_and_turn").with_(
    seed=4, sensors=[plume], faults=[{"fault": "biased", "of": "plume", "at": "45 s", "by": "1 g/m3"}]
)
log = remora.simulate(scenario)

# %%
readings = log["rov/plume"]
valid = readings["status"] == 0
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.plot(readings.time[valid], 1000.0 * readings["concentration"][valid], ".", markersize=3, label="readings")
axes.axvline(45.0, color="0.5", linestyle=":", linewidth=1.0)
axes.set(xlabel="time [s]", ylabel="concentration [g/m3]", title="A plume on the way; dotted: the sensor gets a bias")
axes.grid(alpha=0.3)
axes.legend()
figure.savefig("04_own_sensor.png", dpi=110)
print(f"{valid.sum()} of {len(readings)} readings arrived")
