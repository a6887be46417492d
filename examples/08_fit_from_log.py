"""8. Fit from a log: a CSV table of another program becomes a vehicle file with intervals."""

# %%
import numpy as np

import remora

# %% The table: a simulated test with 5 mm/s and 0.1 deg/s of noise, under column names that Remora does not know.
scenario = remora.load_scenario("bluerov_square").with_(seed=8, log={"rate": "20 Hz"})
log = remora.simulate(scenario)
truth, outputs = log["rov/truth"], log["rov/outputs"]
chance = np.random.default_rng(8)
columns = {"time": "t:s"}
table = [truth.time]
for name, field, noise in (("surge", "v_NB_B_x", 0.005), ("sway", "v_NB_B_y", 0.005), ("yaw", "w_NB_B_z", 0.0017)):
    table.append(truth[field] + chance.normal(0.0, noise, len(truth)))
    columns[name] = f"meas_{name}:{truth.field(field).unit}"
for number, name in enumerate(outputs.channel.names, start=1):
    table.append(outputs[name])
    columns[name] = f"thr{number}:N"
heads = ",".join(text.partition(":")[0] for text in columns.values())
np.savetxt("pool.csv", np.column_stack(table), delimiter=",", header=heads, comments="")
print(heads)

# %% The start of the fit is a guess that is far off. Names of columns carry the units.
guess = remora.load_vehicle("bluerov2_heavy").with_(
    added_mass=[10, 10, 20, 0.2, 0.2, 0.2], quadratic=[80, 80, 80, 1, 1, 1], source="guessed"
)
found = remora.fit(guess, "pool.csv", columns=columns, axes=["surge", "sway", "yaw"])
print(found)

# %% The true values lie within the intervals, or near them.
true = remora.load_vehicle("bluerov2_heavy").parameters.quadratic_damping
for axis, i in (("surge", 0), ("sway", 1)):
    k = found.names.index(f"damping.quadratic.{axis}")
    print(f"{axis}: {found.values[k]:.1f} +- {found.sigma[k]:.1f} kg/m, true {true[i][i]:.1f}, guessed 80")

# %% The fitted vehicle as a file, with the log as the source of each fitted number.
found.vehicle.save("my_rov.yaml")
picture = found.plot()
picture.save("08_fit_from_log.png")
picture
