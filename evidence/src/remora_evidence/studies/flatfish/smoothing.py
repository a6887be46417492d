"""R27 and R28: the Savitzky-Golay filter of Britto Neto 2018, appendix A."""

from collections.abc import Sequence

import numpy as np

from remora.identification import savitzky_golay, savitzky_golay_kernel
from remora_evidence.requirements import StudyFunction, Value

WINDOW, ORDER, STEP = 33, 3, 0.25  # samples, and s
# Table 16, indices 1 to 16; the kernel is odd.
TABLE_16 = (
    0.0020916, 0.00411811, 0.00601445, 0.00771552, 0.00915624, 0.0102715, 0.0109963, 0.0112654,
    0.0110138, 0.0101765, 0.00868824, 0.00648404, 0.00349878, -0.000332627, -0.00507526, -0.0107942,
)  # fmt: skip


def kernel(seeds: Sequence[int]) -> list[Value]:
    """R27: first derivative at the centre."""
    ahead = np.array(TABLE_16)
    printed = np.concatenate([-ahead[::-1], [0.0], ahead])
    found = savitzky_golay_kernel(WINDOW, ORDER, derivative=1)
    return [("largest difference from Table 16", np.abs(found - printed).max())]


def example(seeds: Sequence[int]) -> list[Value]:
    """R28: derivative of a slow sine under two faster ones, ends of the record left out."""
    t = np.arange(0.0, 100.0 + 0.5 * STEP, STEP)
    noisy = 0.3 * np.sin(0.3 * t) + 0.01 * np.sin(10.0 * t) + 0.05 * np.sin(3.0 * t)
    inside = slice(WINDOW // 2, len(t) - WINDOW // 2)
    exact = 0.09 * np.cos(0.3 * t)
    filtered = (savitzky_golay(noisy, WINDOW, ORDER, STEP, derivative=1) - exact)[inside]
    plain = (np.gradient(noisy, STEP) - exact)[inside]
    rms, plain_rms = (float(np.sqrt(np.mean(error**2))) for error in (filtered, plain))
    return [
        ("RMS error of the derivative", rms),
        ("largest error of the derivative", np.abs(filtered).max()),
        ("central difference over it", plain_rms / rms),
    ]


STUDIES: dict[str, StudyFunction] = {
    "R27": kernel,
    "R28": example,
}
