"""Links between bodies: joint motion, constraint rows, elimination of bodies, compliant latch."""
