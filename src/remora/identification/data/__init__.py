"""Records for identification: log readers, column maps, checks, lever arms."""
