"""3. Your own controller: a class with initial() and step(), used in a scenario."""

# %%
import matplotlib.pyplot as plt

import remora


# %% A part gets the vehicle, its period and the other keys of its entry. Its state is passed in and out.
class DepthHold:
    """PID control of the depth; the wrench (X, Y, Z, K, M, N) acts about the body origin in body axes."""

    def __init__(self, vehicle, period, depth, gains):
        self.period, self.depth = period, depth
        self.proportional, self.integral, self.derivative = gains

    def initial(self):
        """The integral of the error."""
        return 0.0

    def step(self, state, now):
        """The next state, and the wrench for control allocation."""
        if now.estimate is None:
            return state, None
        error = self.depth - now.estimate.p_NB[2]
        if abs(error) < 0.3:  # m: farther away the integral would only wind up
            state += self.period * error
        force = self.proportional * error + self.integral * state - self.derivative * now.estimate.twist[2]
        return state, (0.0, 0.0, force, 0.0, 0.0, 0.0)


# %% The class itself stands in the scenario. In a file it would be "my_file.py:DepthHold".
scenario = remora.make_scenario(
    name="depth_hold",
    title="A depth controller for a BlueROV2 Heavy",
    duration="60 s",
    vehicles=[
        {
            "name": "rov",
            "file": "bluerov2_heavy",
            "position": [0, 0, "1 m"],
            "navigation": "truth",
            "control": {"part": DepthHold, "rate": "50 Hz", "depth": "3 m", "gains": [60, 0, 90]},
            "allocation": "pseudo_inverse",
        }
    ],
)
print(scenario)

# %% With and without integral action: the vehicle is 1 N heavy, which only the integral compensates.
figure, (depth, error) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for integral in (0.0, 8.0):
    changed = scenario.with_({"vehicles[0].control.gains": [60, integral, 90]})
    truth = remora.simulate(changed)["rov/truth"]
    below = 1000.0 * (truth["p_NB_z"] - 3.0)
    depth.plot(truth.time, truth["p_NB_z"], label=f"integral gain {integral:g} N/(m s)")
    error.plot(truth.time, below, label=f"integral gain {integral:g} N/(m s)")
    print(f"integral gain {integral:g}: {abs(below[-1]):.1f} mm from 3 m at the end")
depth.set(xlabel="time [s]", ylabel="depth [m]", title="depth")
error.set(xlabel="time [s]", ylabel="below 3 m [mm]", title="error", ylim=(-40, 40))
for axes in (depth, error):
    axes.axhline(3.0 if axes is depth else 0.0, color="0.5", linestyle="--", linewidth=1.0)
    axes.invert_yaxis()
    axes.grid(alpha=0.3)
    axes.legend()
figure.savefig("03_own_controller.png", dpi=110)
