"""Registry of the current models, by the kind that scenarios name."""

from remora.world.water.currents.grid import GRID
from remora.world.water.currents.gusts import GUSTS
from remora.world.water.currents.kind import CurrentKind
from remora.world.water.currents.power_law import POWER_LAW
from remora.world.water.currents.shear import SHEAR
from remora.world.water.currents.tide import TIDE
from remora.world.water.currents.uniform import UNIFORM

CURRENTS: dict[str, CurrentKind] = {kind.name: kind for kind in (UNIFORM, SHEAR, POWER_LAW, GUSTS, TIDE, GRID)}
