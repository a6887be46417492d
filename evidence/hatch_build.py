"""Version of remora-evidence: the version of the product beside it, which it requires."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class ProductVersion(MetadataHookInterface):
    """Takes the version from the sources of the product; a source distribution holds it in PKG-INFO."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set version and dependencies."""
        source = (Path(self.root).parent / "src" / "remora" / "__init__.py").read_text(encoding="utf-8")
        metadata["version"] = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)[1]
        metadata["dependencies"] = [f"remora-auv[plots]=={metadata['version']}"]
