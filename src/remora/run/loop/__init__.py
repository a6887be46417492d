"""The simulation loop: time, scheduling of parts and sensors, and one vehicle step by step."""
