"""5. Current and waves: the same mission in still water and in a rough sea."""

# %%
import matplotlib.pyplot as plt
import numpy as np

import remora

# %% A BlueROV2 Heavy holds its place 3 m below the surface.
still = remora.make_scenario(
    name="station",
    title="Station keeping at 3 m",
    duration="60 s",
    seed=5,
    water={"bottom_depth": "20 m"},
    vehicles=[
        {
            "name": "rov",
            "file": "bluerov2_heavy",
            "position": [0, 0, "3 m"],
            "navigation": "truth",
            "guidance": {"part": "hold", "position": [0, 0, "3 m"], "heading": 0},
            "control": {"part": "position", "rate": "20 Hz"},
            "allocation": {"part": "bounded", "rate": "20 Hz"},
        }
    ],
)

# %% Any field of the file can be changed by its name, and is validated again.
rough = still.with_(
    name="rough_station",
    current=["0.3 m/s", 0, 0],
    waves={"significant_height": "0.6 m", "peak_period": "5 s", "direction": "60 deg"},
)

# %%
figure, (plan, depth) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for scenario, name, colour in ((rough, "current and waves", "C3"), (still, "still water", "C0")):
    truth = remora.simulate(scenario)["rov/truth"]
    north, east, down = truth["p_NB_x"], truth["p_NB_y"], truth["p_NB_z"]
    offset = np.sqrt(north**2 + east**2 + (down - 3.0) ** 2)[truth.time > 20.0]
    print(f"{name:18} {100 * np.sqrt(np.mean(offset**2)):5.1f} cm from its place (RMS after 20 s)")
    plan.plot(east, north, color=colour, linewidth=0.9, label=name)
    depth.plot(truth.time, down, color=colour, label=name)
plan.set(xlabel="east [m]", ylabel="north [m]", aspect="equal", title="path")
depth.set(xlabel="time [s]", ylabel="depth [m]", title="depth")
depth.invert_yaxis()
for axes in (plan, depth):
    axes.grid(alpha=0.3)
    axes.legend()
figure.savefig("05_current_and_waves.png", dpi=110)
