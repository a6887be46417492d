"""The commands that this distribution adds to `remora`; the first line of each module is its line in the help."""
