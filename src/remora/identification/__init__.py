"""System identification: vehicle parameters with confidence intervals from logs and bench tests.

Every estimator takes a `Record` and returns a `Fit`. Names are loaded on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
