"""True motion of a bundled scenario at the times of its sensors, from which readings are drawn again and again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, final

from remora.messages.reading import Reading
from remora.messages.site import Site
from remora.messages.truth import Truth
from remora.run.loop.loop import Loop
from remora.scenarios.scenario import Scenario
from remora.sensors.environment import Environment, OpenWater
from remora.sensors.library import make_sensor
from remora.sensors.sensor import Description, Sensor, State
from remora.vehicles.vehicle import SensorEntry


class FlownTruth(NamedTuple):
    """True states by time, and the water around them."""

    truths: Mapping[int, Truth]
    water: OpenWater
    site: Site


@final
@dataclass(frozen=True)
class TruthKeeper(Sensor):
    """A sensor that keeps the truth it is sampled with."""

    inner: Sensor
    truths: dict[int, Truth]

    @property
    def description(self) -> Description:
        """That of the inner sensor."""
        return self.inner.description

    def initial(self) -> State:
        """That of the inner sensor."""
        return self.inner.initial()

    def step(self, state: State, truth: Truth, environment: Environment, k: int) -> tuple[State, Reading | None]:
        """Keep the truth, and measure."""
        self.truths.setdefault(truth.time_ns, truth)
        return self.inner.step(state, truth, environment, k)


def flown_truth(scenario: Scenario, seconds: float, bottom_depth: float) -> FlownTruth:
    """Fly the vehicle of a scenario once; its sensors sample at all times that are needed.

    The depth is that of a level bottom, z in N, m, for the readings that are drawn.
    """
    setup, truths = scenario.setup, dict[int, Truth]()
    vehicle = setup.vehicles[0]
    keepers = tuple(TruthKeeper(sensor, truths) for sensor in vehicle.sensors)
    loop = Loop(replace(setup, vehicles=(replace(vehicle, sensors=keepers),)))
    loop.advance(min(loop.steps, round(seconds * 1e9) // setup.step_ns))
    site = setup.environment.site
    water = OpenWater(bottom_depth, site.surface_depth, site.density, site.gravity, origin=site.origin)
    return FlownTruth(truths, water, site._replace(has_bottom=True))


def drawn_readings(entries: Sequence[SensorEntry], flown: FlownTruth, seed: int) -> list[Reading]:
    """Readings of the sensors of a suite along a flight."""
    found, end = [], max(flown.truths)
    for entry in entries:
        sensor = make_sensor(entry, seed)
        state, period = sensor.initial(), sensor.description.period_ns
        for k in range(end // period + 1):
            truth = flown.truths.get(k * period)
            if truth is not None:
                state, reading = sensor.step(state, truth, flown.water, k)
                found += [reading] if reading is not None else []
    return found
