"""Reading and writing of the MCAP container: chunks, index, descriptors, damaged files."""
