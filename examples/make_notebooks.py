"""Make the notebooks of the numbered examples and execute them: `make notebooks`.

A line `# %% Text` begins a cell; the text stands above it. Needs nbclient and ipykernel.
"""

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent
NOTEBOOKS = EXAMPLES / "notebooks"


def scripts() -> list[Path]:
    """The numbered examples, in order."""
    return sorted(EXAMPLES.glob("[0-9][0-9]_*.py"))


def cells_of(text: str) -> list[tuple[str, str]]:
    """Kind (markdown or code) and source of each cell of a script."""
    head, *rest = re.split(r"^# %%", text, flags=re.MULTILINE)
    title = head.strip().strip('"')
    cells = [("markdown", f"# {title}")]
    for piece in rest:
        words, _, code = piece.partition("\n")
        if words.strip():
            cells.append(("markdown", words.strip()))
        cells.append(("code", code.strip()))
    return cells


def notebook_of(script: Path) -> dict[str, Any]:
    """The notebook of a script, not yet executed."""
    cells: list[dict[str, Any]] = []
    for number, (kind, source) in enumerate(cells_of(script.read_text(encoding="utf-8"))):
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source}
        cells.append({**cell, "execution_count": None, "outputs": []} if kind == "code" else cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with its outputs; progress and notices on standard error are left out."""
    try:
        import nbformat
        from nbclient import NotebookClient
    except ImportError:
        sys.exit("notebooks are executed by nbclient: python -m pip install nbclient ipykernel")
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            nbformat.from_dict(notebook), timeout=600, record_timing=False, resources={"metadata": {"path": folder}}
        )
        done = client.execute()
    for cell in done.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    done.metadata.pop("language_info", None)
    return json.loads(json.dumps(done))


def main(names: list[str]) -> None:
    """Write the notebooks of the named scripts, of all without a name."""
    NOTEBOOKS.mkdir(exist_ok=True)
    for script in scripts():
        if not names or script.stem in names:
            file = NOTEBOOKS / f"{script.stem}.ipynb"
            text = json.dumps(executed(notebook_of(script)), indent=1, sort_keys=True, ensure_ascii=False)
            file.write_text(text + "\n", encoding="utf-8")
            print(f"written: {file.relative_to(EXAMPLES.parent)}, {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
