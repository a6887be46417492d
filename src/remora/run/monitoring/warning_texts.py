"""Texts of warnings of the monitor."""


def limit_text(name: str) -> str:
    """An actuator at its limit."""
    return f"{name} is at its limit"


def battery_text(left: float) -> str:
    """A battery that is nearly empty; the share that is left."""
    return f"{100.0 * left:.2g} % of its battery left" if left > 0.0 else "its battery is empty: the thrusters stop"


def zone_text(number: int, depth: float) -> str:
    """A keep-out zone by its number, and the depth inside it, m."""
    return f"{depth:.2g} m inside keep-out zone {number}; give it a margin, or less speed"


def overlap_text(name: str, depth: float, has_contact: bool) -> str:
    """A hull that overlaps another body, by how much, m, and whether contact is simulated."""
    if has_contact:
        return f"starts {depth:.2g} m inside {name}: contact drives them apart. Give it another position"
    return f"reaches {depth:.2g} m into {name} and passes through it; vehicles touch only with the key contact"
