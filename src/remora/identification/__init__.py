"""Identification: from logs and bench tests to the numbers of a vehicle, with honest uncertainty.

A `Record` goes in, a `Fit` comes out, whatever the estimator. The names below are only loaded when they are used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
