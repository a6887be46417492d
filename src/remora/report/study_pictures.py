"""Pictures of studies: which of those that were run have some."""

from collections.abc import Collection
from pathlib import Path

from remora.studies.registry import GROUPS


def write_study_pictures(folder: Path, ids: Collection[str]) -> list[Path]:
    """Draw what belongs to the studies of these ids: the tunnel runs, and the sweep of gains."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = []
    if any(study.id in ids for study in GROUPS["simu2vita"]):
        from remora.report.tunnel_figures import write_tunnel_pictures

        pictures += write_tunnel_pictures(folder)
    if any(study.id in ids and "gain sweep" in study.shares for study in GROUPS["flatfish"]):
        from remora.report.sweep_figure import write_sweep_picture

        pictures.append(write_sweep_picture(folder))
    return pictures
