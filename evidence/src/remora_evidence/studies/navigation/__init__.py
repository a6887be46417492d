"""Navigation filters: consistency on the sensor suites of bundled vehicles."""
