"""The filters of the Falcon: its plant as the process model, aided by the sensors of its sled."""
