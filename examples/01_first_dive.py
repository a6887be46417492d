"""1. First dive: simulate a bundled scenario, look at the log, draw it, keep it."""

# %%
import remora

print(remora.scenarios())

# %% A run in memory. The same scenario and seed give the same log, bit for bit.
log = remora.simulate("dive_and_turn", seed=1)
print(log.summary())

# %% A channel is a table of columns with units; to_pandas() makes it a data frame.
truth = log["rov/truth"]
print(f"deepest {truth['p_NB_z'].max():.2f} {truth.field('p_NB_z').unit}, {len(truth)} rows")

# %% Warnings of the monitoring are Python warnings and a field of the log.
assert log.warnings == ()

# %% The log as an MCAP file for Foxglove or PlotJuggler, and the picture of it.
log.save("01_first_dive.mcap")
picture = log.plot()
picture.save("01_first_dive.png")
picture
