"""10. MuJoCo: the same vehicle in a rigid-body engine, with the full added mass; needs remora-auv[mujoco]."""

# %%
import matplotlib.pyplot as plt
import mujoco
import numpy as np

import remora
from remora.interop.mujoco import Hydrodynamics, model_xml, submerged

SECONDS, STEP = 10.0, 0.005

# %% A MuJoCo model of the vehicle, and the water around it.
vehicle = remora.load_vehicle("bluerov2_heavy")
model = mujoco.MjModel.from_xml_string(model_xml(vehicle, step=STEP, integrator="RK4"))
data = mujoco.MjData(model)
water = Hydrodynamics(model, vehicle.name, vehicle)
commands = [7.3, 7.7, -7.3, -7.7, -3.75, -3.75, 3.75, 3.75]  # N: ahead and to starboard, held level by the verticals

# %% The same commands in MuJoCo and in Remora's own plant.
plant = remora.Plant(vehicle)
start = plant.initial_state(position=(0, 0, 2))
water.place(data, start)
water.command(data, commands)
rows = [water.state(data)]
with submerged(water):
    for _ in range(100):
        mujoco.mj_step(model, data, round(SECONDS / STEP / 100))
        rows.append(water.state(data))
in_mujoco = np.array(rows)
states = plant.rollout(start, commands, interval=SECONDS / 100, steps=20, intervals=100)
difference = np.abs(in_mujoco[:, :3] - states[:, :3]).max()
print(f"largest difference of the positions in {SECONDS:g} s: {1000 * difference:.4f} mm")

# %%
figure, (plan, speed) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
plan.plot(states[:, 1], states[:, 0], label="Plant")
plan.plot(in_mujoco[:, 1], in_mujoco[:, 0], "--", label="MuJoCo with Remora's water")
plan.set(xlabel="east [m]", ylabel="north [m]", aspect="equal", title="path")
times = np.linspace(0.0, SECONDS, 101)
for i, name in ((7, "surge"), (8, "sway"), (9, "heave")):
    (line,) = speed.plot(times, states[:, i], label=name)
    speed.plot(times, in_mujoco[:, i], "--", color=line.get_color())
speed.set(xlabel="time [s]", ylabel="speed [m/s]", title="speeds; dashed: MuJoCo")
for axes in (plan, speed):
    axes.grid(alpha=0.3)
    axes.legend()
figure.savefig("10_mujoco.png", dpi=110)
