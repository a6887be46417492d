"""Water of a scenario: currents, tides, gusts, waves, density and sound speed over depth."""
