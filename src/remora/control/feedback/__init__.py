"""Feedback laws: PID, attitude, levelling and feedback linearisation."""
