"""Logs: one schema with units and frames for every run, written while running, read whole or in pieces.

>>> from remora.logs import Channel, Field, LogWriter, RunHeader, read_log
>>> depth = Channel("falcon/depth", (Field("depth", "m", "N", "below the surface"),))
>>> with LogWriter("run.mcap", RunHeader(version="0.1.0", seed=1), [depth]) as writer:  # doctest: +SKIP
...     writer.write("falcon/depth", 0, (1.5,))
>>> read_log("run.mcap")["falcon/depth"]["depth"]  # doctest: +SKIP
array([1.5])

The names below are only loaded when they are used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
