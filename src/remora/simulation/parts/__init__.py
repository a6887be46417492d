"""Parts that fill the roles of the loop: thin adapters around navigation, guidance, control and allocation."""
