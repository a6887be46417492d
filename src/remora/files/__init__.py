"""Input files: YAML documents with line numbers, sections, quantities with units, error reports, atomic writing."""
