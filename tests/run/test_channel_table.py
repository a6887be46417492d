"""Units and frames in the log: what every channel says about its fields, in a table that was looked through."""

import channel_table


def test_units_and_frames_of_all_channels_are_those_of_the_table():
    kept = channel_table.TABLE.read_text().splitlines()[1:]
    assert channel_table.table() == kept
