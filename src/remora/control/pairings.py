"""Declared pairings of bundled vehicles and controllers, from `pairings.yaml`."""

from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from ruamel.yaml import YAML


class Pairings(NamedTuple):
    """Controllers of one vehicle."""

    controllers: tuple[str, ...]
    left_out: dict[str, str]  # controller -> reason


class PairingTable(NamedTuple):
    """All pairings."""

    kinds: dict[str, tuple[str, ...]]  # what a controller follows -> controllers
    elsewhere: dict[str, str]  # controller -> why it is not paired with every vehicle
    vehicles: dict[str, Pairings]


@lru_cache(maxsize=1)
def pairing_table() -> PairingTable:
    """The pairings of all bundled vehicles with thrusters or fins."""
    data = YAML(typ="safe").load(files("remora.control").joinpath("pairings.yaml").read_text(encoding="utf-8"))
    kinds = {kind: tuple(controllers) for kind, controllers in data["kinds"].items()}
    vehicles = {
        name: Pairings(tuple(entry["controllers"]), dict(entry["left_out"])) for name, entry in data["vehicles"].items()
    }
    return PairingTable(kinds, dict(data["elsewhere"]), vehicles)
