"""Loads a preset, makes one step and prints the CPU seconds since the process began: run by `startup`."""

import sys
import time


def main() -> None:
    """What `remora run` does before its loop begins."""
    import numpy as np

    from remora.plant import Stepper, initial_state, pack
    from remora.vehicles import load_vehicle

    packed = pack(load_vehicle("falcon").parameters)
    Stepper(packed, 0.01)(initial_state(packed), np.zeros(packed.actuators))
    sys.stdout.write(f"{time.process_time()}\n")


if __name__ == "__main__":
    main()
