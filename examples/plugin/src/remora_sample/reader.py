"""Files of a depth logger: the word DEPTH1, then depths in m as 32-bit floats, ten per second."""

import numpy as np

from remora.logs import Channel, Field, LogFormat, Series, log_from_series

MAGIC = b"DEPTH1"


def read(path):
    """The log in a file."""
    depths = np.frombuffer(path.read_bytes()[len(MAGIC) :], "<f4")
    channel = Channel("logger/depth", (Field("depth", "m", "N", "below the surface"),))
    return log_from_series([Series(channel, 100_000_000 * np.arange(len(depths)), {"depth": depths})])


DEPTH_LOGGER = LogFormat("files of the depth logger", read, lambda start: start.startswith(MAGIC), (".depth",))
