"""Logs carry the version of their names: newer ones are refused, older ones are read unless a name has changed."""

import json

import pytest
from sample_logs import HEADER, write_sample

from remora.files.did_you_mean import RENAMED
from remora.logs import LogError, LogWriter, read_csv_log, read_log, to_csv
from remora.logs.mcap.definition import Definition, from_plain, to_plain
from remora.logs.schema import SCHEMA, Channel, Field

SPEED = Channel("rov/speed", (Field("surge", "m/s"),))


def plain(schema=None, channels=(SPEED,)):
    """The header of a log as it was written with a schema; without one, as before there were versions."""
    content = to_plain(Definition(HEADER, tuple(channels)))
    del content["schema"]
    return content if schema is None else content | {"schema": schema}


def test_a_log_is_written_with_the_schema_of_this_version(tmp_path):
    assert read_log(write_sample(tmp_path / "run.mcap")).header.schema == SCHEMA


def test_a_log_without_a_version_has_the_first_schema_and_is_read():
    definition = from_plain(plain())
    assert definition.header.schema == 1
    assert definition.channels == (SPEED,)


def test_a_log_of_a_newer_schema_is_refused_by_name(tmp_path):
    path = tmp_path / "run.mcap"
    with pytest.raises(LogError, match=rf"has log schema {SCHEMA + 1}; this version reads up to {SCHEMA}"):
        LogWriter(path, HEADER._replace(schema=SCHEMA + 1), [SPEED])
    with pytest.raises(ValueError, match="Use a newer Remora"):
        from_plain(plain(SCHEMA + 1))


@pytest.mark.parametrize("schema", [0, -1, "2", 1.5, None])
def test_a_schema_that_is_no_version_is_refused(schema):
    with pytest.raises(ValueError, match="not as Remora writes them"):
        from_plain(plain() | {"schema": schema})


def test_a_newer_folder_of_csv_files_is_refused(tmp_path):
    folder = tmp_path / "csv"
    to_csv(read_log(write_sample(tmp_path / "run.mcap")), folder)
    about = folder / "log.json"
    about.write_text(json.dumps(json.loads(about.read_text()) | {"schema": SCHEMA + 1}))
    with pytest.raises(LogError, match=r"log\.json.*has log schema"):
        read_csv_log(folder)


@pytest.mark.parametrize(
    ("channel", "message"),
    [
        (Channel("rov/old_speed", SPEED.fields), 'its channel "rov/old_speed" was renamed to "rov/new_speed"'),
        (Channel("rov/speed", (Field("old_speed", "m/s"),)), 'its field "old_speed" was renamed to "new_speed"'),
    ],
)
def test_an_older_log_with_a_renamed_name_is_refused_with_the_new_one(monkeypatch, channel, message):
    monkeypatch.setitem(RENAMED, "old_speed", "new_speed")
    with pytest.raises(ValueError, match=message):
        from_plain(plain(1, [channel]))
    assert from_plain(plain(SCHEMA, [channel])).channels == (channel,)


def test_a_renamed_channel_or_field_is_answered_with_the_new_name(monkeypatch, tmp_path):
    monkeypatch.setitem(RENAMED, "velocity", "speed")
    monkeypatch.setitem(RENAMED, "forward", "surge")
    with LogWriter(tmp_path / "run.mcap", HEADER, [SPEED]) as writer:
        writer.write("rov/speed", 0, (1.0,))
    log = read_log(tmp_path / "run.mcap")
    with pytest.raises(LogError, match='It was renamed to "rov/speed"'):
        log["rov/velocity"]
    with pytest.raises(LogError, match='It was renamed to "rov/speed"'):
        read_log(tmp_path / "run.mcap", ["rov/velocity"])
    with pytest.raises(LogError, match='It was renamed to "surge"'):
        log["rov/speed"]["forward"]
