"""Compliant latch: a spring and damper in all six directions between two bodies."""

from remora.equations.algebra.vectors import add3, join, scale3, subtract3
from remora.equations.links.joint import JointMotion, LinkRecord, attitude_error
from remora.equations.types import BodyState, Wrench


def latch_wrench(link: LinkRecord, x_A: BodyState, x_B: BodyState, joint: JointMotion) -> Wrench:
    """Wrench of a latch on B about its joint point, in axes of B; A receives the opposite at the same point.

    The damper takes energy from any relative motion. Attitude errors are those of small angles.

    Parameters
    ----------
    link
        Geometry, stiffness and damping of the latch.
    x_A, x_B
        Body states in N.
    joint
        Motion of the joint; the joint points of both bodies.
    """
    error = attitude_error((x_A[3], x_A[4], x_A[5], x_A[6]), (x_B[3], x_B[4], x_B[5], x_B[6]), link.q_AB)
    turning = subtract3(joint.w_A, joint.w_B)
    force = add3(scale3(link.stiffness[0], joint.gap), scale3(link.damping[0], joint.gap_rate))
    torque = add3(scale3(link.stiffness[1], error), scale3(link.damping[1], turning))
    return join(force, torque)
