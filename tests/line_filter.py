"""A small linear filter: position and velocity on a line, driven by white acceleration."""

from remora.navigation.filters import AidingModel, Chart, compile_filter

SECOND = 10**9
NOISE = 0.05  # m/s2 per square root of Hz


def plus(x, d):
    return (x[0] + d[0], x[1] + d[1])


def minus(y, x):
    return (y[0] - x[0], y[1] - x[1])


def process(x, u, dt, row):
    return (x[0] + dt * x[1] + 0.5 * dt * dt * u[0], x[1] + dt * u[0])


def position(x, u, row):
    return (x[0],)


def distance(x, u, row):
    """From a place that comes with the reading, after the one parameter of the filter."""
    return (x[0] - row[1],)


def noise_input(x, u, dt, row):
    """White acceleration over an interval."""
    return (0.5 * dt * row[0], row[0])


AIDINGS = {
    "fix": AidingModel(position, (0.1,), gate=0.999, recovery=2.0),
    "beacon": AidingModel(distance, (0.1,), own_sigma=True, own_parameters=1),
    "slow": AidingModel(position, (0.1,), delayed_residual=True, latency=0.25),
    "once": AidingModel(position, (0.1,), repeats=False),
}


def line_filter():
    return compile_filter(
        Chart(plus, minus), process, AIDINGS, states=2, errors=2, noise=(NOISE,), noise_input=noise_input,
        inputs="imu", input_size=1, parameters=(1.0,), lag=1.0, gap=5.0,
    )  # fmt: skip
