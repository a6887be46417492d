"""R31 judges the forces that allocation gives."""

from spoiled_studies import judged_alone

from remora.control.allocation.thrusters import BoundedAllocation


def test_forces_off_the_least_norm_fail_R31(monkeypatch):
    """The matrix of the allocation was compared with the table, so that `allocate` could give any forces."""
    allocate = BoundedAllocation.allocate
    assert judged_alone("R31", 1).verdict == "holds"

    def more(self, wrench, reach=None):
        """A millinewton more of both heave thrusters, within the limits."""
        found = allocate(self, wrench, reach)
        forces = found.forces.copy()
        forces[4:] += 1e-3 * (self.highest[4:] > 0.0) * (abs(forces[4:]) < 50.0)
        return found._replace(forces=forces)

    monkeypatch.setattr(BoundedAllocation, "allocate", more)
    missed = [figure.name for figure in judged_alone("R31", 1).missed]
    assert missed == [
        "inside the limits, forces from the least-norm table, per newton asked",
        "inside the limits, wrench of the forces from that asked for",
    ]
