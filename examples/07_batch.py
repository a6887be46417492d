"""7. Batch of 1,000: where a drifting ROV ends, in currents that nobody knows exactly."""

# %%
import matplotlib.pyplot as plt
import numpy as np

import remora

COUNT = 1000

# %% One vehicle, 1,000 currents and headings. Every input may be one for all, or one for each.
plant = remora.Plant(remora.load_vehicle("bluerov2_heavy"))
chance = np.random.default_rng(7)
currents = np.column_stack([chance.normal(0.2, 0.05, COUNT), chance.normal(0.0, 0.1, COUNT), np.zeros(COUNT)])
headings = chance.uniform(-np.pi, np.pi, COUNT)
starts = np.array([
    plant.initial_state(position=(0, 0, 5), quaternion=(np.cos(half), 0, 0, np.sin(half))) for half in headings / 2
])  # fmt: skip
commands = np.zeros(len(plant.actuator_names))

# %% All of them for 60 s, on all cores: states[vehicle, interval, number].
states = remora.batch(
    [plant.packed] * COUNT,
    starts,
    [commands],
    interval=1.0,
    steps=50,
    intervals=60,
    water=list(currents),
)
ends = states[:, -1, :2]
print(f"{COUNT} vehicles, mean end {ends[:, 0].mean():.2f} m north, {ends[:, 1].mean():.2f} m east")
print(f"95 % of them within {np.quantile(np.hypot(*(ends - ends.mean(axis=0)).T), 0.95):.2f} m of it")

# %%
figure, axes = plt.subplots(figsize=(6, 5), layout="constrained")
for path in states[::25]:
    axes.plot(path[:, 1], path[:, 0], color="0.7", linewidth=0.6)
axes.scatter(ends[:, 1], ends[:, 0], s=4, color="C0", label="after 60 s")
axes.plot(0.0, 0.0, "k+", markersize=10, label="start")
axes.set(xlabel="east [m]", ylabel="north [m]", aspect="equal", title=f"{COUNT} drifting vehicles")
axes.grid(alpha=0.3)
axes.legend()
figure.savefig("07_batch.png", dpi=110)
