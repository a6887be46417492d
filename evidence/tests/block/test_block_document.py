"""docs/block.md stays true: its code runs, its signals and fields are those of the code."""

import re
from dataclasses import fields

from pages import code_blocks, page, printed_by
from remora_evidence.simu2vita_block.block import BlockInputs, BlockOutputs, VehicleBlock
from remora_evidence.simu2vita_block.parameters import ActuatorTab, AllocationTab, DynamicsTab

TEXT = page("block.md")


def names(heading, column=0, part=0):
    """The code words in a column of a table below a heading."""
    tables = re.findall(r"(?:^\|.*\n)+", TEXT.split(f"## {heading}\n")[1].split("\n## ")[0], re.MULTILINE)
    cells = [line.strip("|").split("|")[column] for line in tables[part].splitlines()[2:]]
    return [re.findall(r"`(\w+)`", cell) for cell in cells]


def test_code_of_the_document_runs(tmp_path):
    printed = printed_by(code_blocks(TEXT)[0], tmp_path)
    assert printed.startswith("1.0 [ 4.98")


def test_signals_and_fields_are_those_of_the_code():
    assert [name for (name,) in names("Inputs")] == list(BlockInputs._fields)
    assert [name for (name,) in names("Outputs")] == list(BlockOutputs._fields)
    tabs = [[field.name for field in fields(tab)] for tab in (ActuatorTab, AllocationTab, DynamicsTab)]
    assert [sorted(told) for told in names("Parameters", 1)] == [sorted(tab) for tab in tabs]
    options = [field.name for field in fields(VehicleBlock) if not field.name.startswith("_")][3:]
    assert [name for (name,) in names("Parameters", 0, 1)] == options
