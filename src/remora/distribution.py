"""Names on the package index, and the commands that install what is missing.

The package index knows another project by the name of the import package.
"""

DISTRIBUTION = "remora-auv"
EVIDENCE = "remora-evidence"


def install_line(extra: str = "", distribution: str = DISTRIBUTION) -> str:
    """The command that installs a distribution with one of its extras.

    >>> install_line("mujoco")
    'pip install "remora-auv[mujoco]"'
    >>> install_line(distribution=EVIDENCE)
    'pip install remora-evidence'
    """
    return f'pip install "{distribution}[{extra}]"' if extra else f"pip install {distribution}"
