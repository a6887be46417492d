"""6. Faults: a thruster dies, a sensor jumps; monitoring tells how the run went."""

# %%
import warnings

import matplotlib.pyplot as plt
import numpy as np

import remora

# %% The bundled square at 3 m depth, flown by sensors. One line for each fault.
sound = remora.load_scenario("bluerov_square").with_(duration="100 s", watch="off")
faults = {
    "sound": None,
    "dead thruster": [{"fault": "dead", "of": "front_port", "at": "40 s"}],
    "biased depth": [{"fault": "biased", "of": "depth", "at": "40 s", "by": "100 mbar"}],
}

# %%
colours = {"sound": "0.75", "dead thruster": "C3", "biased depth": "C0"}
figure, (plan, depth) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for width, (name, lines) in zip((4.0, 1.2, 1.2), faults.items(), strict=True):
    log = remora.simulate(sound.with_(faults=lines))
    truth = log["rov/truth"]
    plan.plot(truth["p_NB_y"], truth["p_NB_x"], linewidth=width, color=colours[name], label=name)
    depth.plot(truth.time, truth["p_NB_z"], linewidth=width, color=colours[name], label=name)
    told = [f"{event.source} {event.text}" for event in log.events if event.data.get("fault")]
    print(f"{name:15} depth at the end {truth['p_NB_z'][-1]:5.2f} m; events: {', '.join(told) or 'none'}")
plan.set(xlabel="east [m]", ylabel="north [m]", aspect="equal", title="path")
depth.axvline(40.0, color="0.5", linestyle=":", linewidth=1.0)
depth.set(xlabel="time [s]", ylabel="depth [m]", title="depth; dotted: the faults begin")
depth.invert_yaxis()
for axes in (plan, depth):
    axes.grid(alpha=0.3)
    axes.legend()
figure.savefig("06_faults.png", dpi=110)

# %% A run that leaves its scenario gives a RunWarning: here the vehicle is 60 N heavier than it can lift.
heavy = remora.load_vehicle("bluerov2_heavy").with_(mass="43 kg", source="flooded")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    log = remora.simulate("bluerov_square", vehicle=heavy, duration=30)
print(f"{len(caught)} warnings; the first: {caught[0].message}")
assert np.isfinite(log["rov/truth"].table()).all()
