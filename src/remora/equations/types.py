"""What the numbers of the physics mean: unit, axes and order, said once for every annotation.

Units are SI and angles radians; a name needs no suffix for them. A suffix names axes: `quantity_ReferenceTarget_Axes`,
as in p_NB (position of B from N) or v_NB_B (velocity of B over N in axes of B; the last letter is left out where it
repeats the reference). A vector whose name has none is in axes of B, unless its module says otherwise. N is north,
east, down; B is the body origin with axes forward, starboard, down; G and C are the centres of gravity and buoyancy; S
is a sensor, T a thruster, P a docking port, W the water, E the world of a foreign engine. R_AB, like q_AB, turns
components in B into components in A. `inertia`, `damping` and `added_mass` are stored positive.

The names are for readers and the type checker. Every tuple holds floats, Numba scalars, CasADi symbols or arrays of a
batch, whichever the caller passes.
"""

from typing import Any, Protocol, TypeAlias

Seconds: TypeAlias = float  # logs, messages and the loop count whole nanoseconds instead, in names with _ns
Level: TypeAlias = float  # m, z in N, positive downward
ShaftSpeed: TypeAlias = float  # rad/s, of a propeller
AdvanceSpeed: TypeAlias = float  # m/s, of the water at a propeller along its axis
AngularFrequency: TypeAlias = float  # rad/s
Celsius: TypeAlias = float

Vector2: TypeAlias = tuple[float, float]
Vector3: TypeAlias = tuple[float, float, float]
Vector4: TypeAlias = tuple[float, float, float, float]
Vector5: TypeAlias = tuple[float, float, float, float, float]
Vector6: TypeAlias = tuple[float, float, float, float, float, float]
Matrix3: TypeAlias = tuple[Vector3, Vector3, Vector3]  # rows
Matrix6: TypeAlias = tuple[Vector6, Vector6, Vector6, Vector6, Vector6, Vector6]  # rows

Direction: TypeAlias = Vector3  # of length one
FourDof: TypeAlias = Vector4  # surge, sway, heave, yaw, or north, east, down, heading
SixDof: TypeAlias = Vector6  # one number for surge, sway, heave, roll, pitch and yaw each

Quaternion: TypeAlias = tuple[float, float, float, float]  # of length one, scalar first, Hamilton: q_NB if unnamed
RotationMatrix: TypeAlias = Matrix3  # its columns are the axes of the second letter: R_NB if unnamed

AngularVelocity: TypeAlias = Vector3  # rad/s, of B over N in axes of B
Twist: TypeAlias = Vector6  # m/s, rad/s: velocity of B, angular velocity, over ground in axes of B
RelativeTwist: TypeAlias = Vector6  # m/s, rad/s: the same relative to the water
TwistRate: TypeAlias = Vector6  # m/s2, rad/s2: rate of the six components of a twist
Wrench: TypeAlias = Vector6  # N, N m: force, torque about B, in axes of B
Inertia: TypeAlias = Matrix6  # kg, kg m, kg m2: about B in axes of B, rows as in a wrench, columns as in a twist
BodyState: TypeAlias = tuple[float, float, float, float, float, float, float, float, float, float, float, float, float]
# p_NB, q_NB, twist over ground: x, y, z, q0, q1, q2, q3, u, v, w, p, q, r; rates of a state have the same order


class Numbers(Protocol):
    """A sequence of numbers with indices and slices: a tuple, an array, a column of symbols."""

    def __getitem__(self, index: Any, /) -> Any:
        """The number at an index, or the numbers of a slice."""


Row: TypeAlias = Numbers  # a vehicle packed into numbers, whose places a `packed.Layout` gives
Outputs: TypeAlias = Numbers  # thrusters N or rad/s, fins and servos rad, moving masses m, kg or m3, in this order
PlantOutputs: TypeAlias = Numbers  # outputs, followed by speeds and accelerations of the moving masses
