"""Pictures of studies: which of those that were run have some."""

from collections.abc import Collection
from pathlib import Path

from remora_evidence.studies.catalogue import GROUPS


def write_study_pictures(folder: Path, ids: Collection[str]) -> list[Path]:
    """Draw what belongs to the studies of these ids: tunnel runs, records and their models, gains, lost thrust."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = []
    if any(study.id in ids for study in GROUPS["simu2vita"]):
        from remora_evidence.pictures.tunnel_figures import write_tunnel_pictures

        pictures += write_tunnel_pictures(folder)
    pictures += _validation_pictures(folder, ids)
    if any(study.id in ids and "gain sweep" in study.shares for study in GROUPS["flatfish"]):
        from remora_evidence.pictures.sweep_figure import write_sweep_picture

        pictures.append(write_sweep_picture(folder))
    if "modular-14.7-map" in ids:
        from remora_evidence.pictures.loss_figure import write_loss_picture

        pictures.append(write_loss_picture(folder))
    return pictures


def _validation_pictures(folder: Path, ids: Collection[str]) -> list[Path]:
    """Measured and modelled speeds of the FlatFish: in the basin, in the bay, and in all degrees of freedom at once."""
    from remora_evidence.pictures.flatfish_figures import write_together_picture, write_validation_picture
    from remora_evidence.studies.flatfish.records import BASIN, BAY

    pictures = [write_validation_picture(folder, site) for name, site in (("R9", BASIN), ("R15", BAY)) if name in ids]
    if not {"R20", "R21", "R22"}.isdisjoint(ids):
        pictures.append(write_together_picture(folder))
    return pictures
