"""Single-hidden-layer network that learns the acceleration which a model lacks. Proctor 2014, eq. 6.24 to 6.30.

Nine inputs with the bias, five hidden units, four outputs. Weights are stored by column: one of nine numbers for each
hidden unit, one of six (bias first) for each output. The learning law has e-modification, which keeps weights bounded.
"""

from typing import NamedTuple, TypeAlias

from remora.equations.algebra.elementary import exp, sqrt
from remora.equations.algebra.four_axes import ZERO4, dot4
from remora.equations.algebra.vectors import add6, dot6, scale6
from remora.equations.control.velocity_tracking import TrackingGains
from remora.equations.types import FourDof, Seconds, Vector5, Vector6

Column6: TypeAlias = Vector6
Column9: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]
InputWeights: TypeAlias = tuple[Column9, Column9, Column9, Column9, Column9]
OutputWeights: TypeAlias = tuple[Column6, Column6, Column6, Column6]

HIDDEN = 5


class Network(NamedTuple):
    """Constants of the network; the defaults are those of Proctor 2014, Table 6.2."""

    potentials: Vector5 = (0.2, 0.4, 0.6, 0.8, 1.0)  # activation potentials
    input_bias: float = 0.5
    hidden_bias: float = 0.5
    input_rate: float = 2.0  # Gamma_v
    output_rate: float = 0.2  # Gamma_w
    modification: float = 0.1  # kappa


class NetworkWeights(NamedTuple):
    """Weights of the network."""

    inputs: InputWeights  # V
    outputs: OutputWeights  # W


_NINE: Column9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
_SIX: Column6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
ZERO_WEIGHTS = NetworkWeights((_NINE, _NINE, _NINE, _NINE, _NINE), (_SIX, _SIX, _SIX, _SIX))


def network_input(network: Network, velocity: FourDof, wrench: FourDof) -> Column9:
    """Input of the network: bias, velocities and the wrench of the previous step.

    Velocity and wrench of surge, sway, heave and yaw are over their full scale.
    """
    return (network.input_bias, *velocity, *wrench)


def hidden_layer(network: Network, weights: NetworkWeights, x: Column9) -> tuple[Vector5, Vector5, Vector5]:
    """Sums z, sigmoids and their slopes of the hidden units. Proctor 2014, eq. 6.26."""
    V, a = weights.inputs, network.potentials
    z = (dot9(V[0], x), dot9(V[1], x), dot9(V[2], x), dot9(V[3], x), dot9(V[4], x))
    s = (
        _sigmoid(a[0] * z[0]),
        _sigmoid(a[1] * z[1]),
        _sigmoid(a[2] * z[2]),
        _sigmoid(a[3] * z[3]),
        _sigmoid(a[4] * z[4]),
    )
    slopes = (
        a[0] * s[0] * (1.0 - s[0]),
        a[1] * s[1] * (1.0 - s[1]),
        a[2] * s[2] * (1.0 - s[2]),
        a[3] * s[3] * (1.0 - s[3]),
        a[4] * s[4] * (1.0 - s[4]),
    )
    return z, s, slopes


def network_output(network: Network, weights: NetworkWeights, x: Column9) -> FourDof:
    """Acceleration subtracted by the network in surge, sway, heave and yaw, m/s2 and rad/s2. Proctor 2014, eq. 6.27."""
    _, s, _ = hidden_layer(network, weights, x)
    sigma, W = (network.hidden_bias, *s), weights.outputs
    return (dot6(W[0], sigma), dot6(W[1], sigma), dot6(W[2], sigma), dot6(W[3], sigma))


def filtered_error(network: Network, gains: TrackingGains, integral: FourDof, error: FourDof) -> FourDof:
    """Error that drives learning, e_t^T P B of the tracking-error dynamics. Proctor 2014, eq. 6.29.

    `error` is the tracking error in m/s and rad/s, `integral` its integral.
    """
    scale = 1.0 / (0.25 * HIDDEN + network.hidden_bias * network.hidden_bias)
    K_i, K_p = gains.integral, gains.proportional
    return (
        scale * K_i[0] * (0.5 * K_p[0] * integral[0] + error[0]),
        scale * K_i[1] * (0.5 * K_p[1] * integral[1] + error[1]),
        scale * K_i[2] * (0.5 * K_p[2] * integral[2] + error[2]),
        scale * K_i[3] * (0.5 * K_p[3] * integral[3] + error[3]),
    )


def learning_decay(network: Network, gains: TrackingGains, error: FourDof, period: Seconds) -> float:
    """Share of the input weights that e-modification removes in a step at a velocity error; from 1 on they alternate.

    `error` is the velocity error, with a zero integral.
    """
    r = filtered_error(network, gains, ZERO4, error)
    return network.input_rate * period * network.modification * sqrt(dot4(r, r))


def learned_weights(
    network: Network, weights: NetworkWeights, x: Column9, r: FourDof, period: Seconds
) -> NetworkWeights:
    """Weights after a step of the learning law with e-modification. Proctor 2014, eq. 6.30.

    `weights` are the ones before the step, `x` the input and `r` the filtered error.
    """
    z, s, slopes = hidden_layer(network, weights, x)
    decay = network.modification * sqrt(dot4(r, r))
    V, W = weights.inputs, weights.outputs
    direct: Column6 = (
        network.hidden_bias,
        s[0] - slopes[0] * z[0],
        s[1] - slopes[1] * z[1],
        s[2] - slopes[2] * z[2],
        s[3] - slopes[3] * z[3],
        s[4] - slopes[4] * z[4],
    )
    w_step, v_step = network.output_rate * period, network.input_rate * period
    w_keep, v_keep = 1.0 - w_step * decay, 1.0 - v_step * decay
    outputs = (
        _moved6(w_keep, W[0], -w_step * r[0], direct),
        _moved6(w_keep, W[1], -w_step * r[1], direct),
        _moved6(w_keep, W[2], -w_step * r[2], direct),
        _moved6(w_keep, W[3], -w_step * r[3], direct),
    )
    inputs = (
        _moved9(v_keep, V[0], -v_step * slopes[0] * _through(W, r, 1), x),
        _moved9(v_keep, V[1], -v_step * slopes[1] * _through(W, r, 2), x),
        _moved9(v_keep, V[2], -v_step * slopes[2] * _through(W, r, 3), x),
        _moved9(v_keep, V[3], -v_step * slopes[3] * _through(W, r, 4), x),
        _moved9(v_keep, V[4], -v_step * slopes[4] * _through(W, r, 5), x),
    )
    return NetworkWeights(inputs, outputs)


def dot9(a: Column9, b: Column9) -> float:
    """a . b of nine numbers."""
    return (
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4]
        + a[5] * b[5] + a[6] * b[6] + a[7] * b[7] + a[8] * b[8]
    )  # fmt: skip


def _sigmoid(x: float) -> float:
    return 1.0 / (1.0 + exp(-x))


def _through(outputs: OutputWeights, r: FourDof, unit: int) -> float:
    """Filtered error through the output weights of one hidden unit."""
    return outputs[0][unit] * r[0] + outputs[1][unit] * r[1] + outputs[2][unit] * r[2] + outputs[3][unit] * r[3]


def _moved6(keep: float, a: Column6, step: float, b: Column6) -> Column6:
    return add6(scale6(keep, a), scale6(step, b))


def _moved9(keep: float, a: Column9, step: float, b: Column9) -> Column9:
    return (
        keep * a[0] + step * b[0],
        keep * a[1] + step * b[1],
        keep * a[2] + step * b[2],
        keep * a[3] + step * b[3],
        keep * a[4] + step * b[4],
        keep * a[5] + step * b[5],
        keep * a[6] + step * b[6],
        keep * a[7] + step * b[7],
        keep * a[8] + step * b[8],
    )
