"""2. Your own vehicle: describe a lander in Python, check it, change it, save it, and let it sink."""

# %%
import math

import matplotlib.pyplot as plt
import numpy as np

import remora

# %% The sections are those of a vehicle file: every number has a unit and a source.
lander = remora.make_vehicle(
    name="lander",
    title="Spherical lander",
    source="example",
    water={"density": "1025 kg/m3", "gravity": "9.81 m/s2"},
    body={
        "mass": "70 kg",
        "net_buoyancy": "-20 N",
        "inertia": {"moments": ["1.7 kg m2", "1.7 kg m2", "1.7 kg m2"]},
        "center_of_gravity": [0, 0, "5 cm"],
        "center_of_buoyancy": [0, 0, 0],
    },
    added_mass={"diagonal": [34, 34, 34, 0, 0, 0]},
    damping={"quadratic": {"diagonal": [47, 47, 47, 4, 4, 4]}},
)
lander.check()

# %% Variants are validated as a file is; a mistake is one clear error.
variants = {weight: lander.with_(net_buoyancy=-weight, source="ballast") for weight in (10.0, 20.0, 40.0)}
try:
    lander.with_(mass="70 lb")
except remora.VehicleFileError as error:
    print(error)

# %% Each one sinks from rest; the exact solution tends to sqrt(weight / drag).
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
times = 0.1 * np.arange(201)
for weight, vehicle in variants.items():
    plant = remora.Plant(vehicle)
    states = plant.rollout(plant.initial_state(), [], interval=0.1, steps=10, intervals=200)
    speeds = states[:, plant.state_names.index("w")]
    final = math.sqrt(weight / 47.0)
    inertia = vehicle.parameters.mass + 34.0
    exact = final * np.tanh(times * math.sqrt(weight * 47.0) / inertia)
    print(f"{weight:4.0f} N: {speeds[-1]:.4f} m/s after 20 s, exact {exact[-1]:.4f} m/s")
    (line,) = axes.plot(times, speeds, label=f"{weight:.0f} N heavy")
    axes.axhline(final, color=line.get_color(), linestyle=":", linewidth=1.0)
axes.set(xlabel="time [s]", ylabel="sinking speed [m/s]", title="A lander sinks; dotted: terminal speed")
axes.grid(alpha=0.3)
axes.legend()
figure.savefig("02_own_vehicle.png", dpi=110)

# %% The saved file loads to an equal vehicle.
variants[20.0].save("lander.yaml")
assert remora.load_vehicle("lander.yaml") == variants[20.0]
