"""4. Your own sensor: a depth gauge by its data sheet, with noise, bias, latency, dropout and a fault."""

# %%
import matplotlib.pyplot as plt
import numpy as np

import remora

# %% A sensor is a kind with the figures of a data sheet, each in its unit. Here a cheap gauge beside a good one.
cheap = {
    "name": "cheap_gauge",
    "kind": "pressure",
    "position": [0, 0, 0],
    "rate": "5 Hz",
    "latency": "0.3 s",
    "parameters": {"water": "uniform", "std": "8 mbar", "bias_std": "5 mbar", "resolution": "2 mbar", "dropout": 0.2},
}
good = {
    **cheap,
    "name": "good_gauge",
    "rate": "20 Hz",
    "latency": "10 ms",
    "parameters": {"water": "uniform", "std": "0.5 mbar"},
}

# %% Both ride on the bundled dive; after 30 s the cheap one freezes.
scenario = remora.load_scenario("dive_and_turn").with_(
    seed=4, sensors=[cheap, good], faults=[{"fault": "frozen", "of": "cheap_gauge", "at": "30 s"}]
)
log = remora.simulate(scenario)
truth = log["rov/truth"]

# %% The log keeps the time of measurement, the latency and the status of each reading.
vehicle = scenario.setup.vehicles[0].nominal.parameters
figure, (depths, errors) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for name, colour, size in (("cheap_gauge", "C1", 8), ("good_gauge", "C0", 2)):
    readings = log[f"rov/{name}"]
    valid = readings["status"] == 0
    depth = readings["pressure"][valid] / (vehicle.density * vehicle.gravity)
    error = depth - np.interp(readings.time[valid], truth.time, truth["p_NB_z"])
    before = readings.time[valid] < 30.0
    print(f"{name}: {valid.sum()} of {len(readings)} readings arrived, {100 * error[before].std():.1f} cm of noise")
    depths.plot(readings.time[valid], depth, ".", color=colour, markersize=size / 2, label=name)
    errors.plot(readings.time[valid], 100.0 * error, ".", color=colour, markersize=size / 2, label=name)
depths.plot(truth.time, truth["p_NB_z"], color="k", linewidth=0.8, label="truth")
depths.set(xlabel="time [s]", ylabel="depth [m]", title="readings")
depths.invert_yaxis()
errors.axvline(30.0, color="0.5", linestyle=":", linewidth=1.0)
errors.set(xlabel="time [s]", ylabel="error [cm]", title="errors; dotted: the cheap gauge freezes")
for axes in (depths, errors):
    axes.grid(alpha=0.3)
    axes.legend()
figure.savefig("04_own_sensor.png", dpi=110)
