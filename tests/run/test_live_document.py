"""docs/live.md stays true: its code runs, its commands are those of the protocol."""

import re

from pages import code_blocks, page, printed_by
from remora.messages.operator_command import WORDS, Authority, parsed_command
from remora.run.live.operator_server import HELP
from remora.scenarios import scenario_from_text

PAGE = page("live.md")
ROV = """\
name: piloted
duration: 10 s
vehicles:
  - name: rov
    file: falcon
    navigation: truth
    control: pid
    allocation: {part: bounded, axes: [surge, sway, heave, yaw]}
"""


def block(language):
    (first, *_) = code_blocks(PAGE, language)
    return first


def test_the_code_runs(tmp_path):
    assert printed_by(block("python"), tmp_path).startswith("GO_TO [0.")


def test_the_scenario_is_valid():
    indented = "".join(f"    {line}\n" for line in block("yaml").splitlines())
    (vehicle,) = scenario_from_text(ROV + indented).vehicles
    assert [part.name for part in vehicle.parts][1] == "guidance"


def test_every_command_and_authority_is_documented():
    for word in re.findall(r"[a-z_]{4,}", WORDS):
        assert f"| `{word}" in PAGE
        assert word in HELP
    assert all(f"| `{one.name.lower()}` |" in PAGE for one in Authority)
    for line in re.findall(r"^> (.*)$", block("text"), re.MULTILINE):
        if line not in ("status", "speeds fast") and not line.startswith("token "):
            parsed_command(line)
