"""9. Design an experiment: the motion that identifies the surge drag to 5 % in a small pool."""

# %%
import remora

# %% The plan excites the axis within workspace, speed and thrust, and predicts the accuracy.
names = ["added_mass.surge", "damping.linear.surge", "damping.quadratic.surge"]
plan = remora.design("bluerov2_heavy", names, accuracy=0.05, workspace=(6, 4, 2))
print(plan)

# %% Fly it in simulation, with the noise of the plan, and fit what the sensors saw.
log = remora.simulate(plan.scenario, seed=9)
vehicle = log.vehicle_names[0]
motion = {axis: (f"{vehicle}/dvl", f"velocity_{x}") for axis, x in (("surge", "x"), ("sway", "y"), ("heave", "z"))}
found = remora.fit("bluerov2_heavy", log, motion=motion, axes="surge", parameters=names, hold_out=0.0)

# %% Predicted and reached accuracy.
for one, value, sigma in zip(plan.predicted, found.values, found.sigma, strict=True):
    print(f"{one.name:24} {value:8.3f} +- {sigma:.3f} {one.unit}; predicted {one.sigma:.3f}, in the file {one.value:g}")

# %%
picture = plan.plot()
picture.save("09_design_experiment.png")
picture
