"""The simulated tunnel mission of Gava et al. 2022, as the studies fly it."""

from remora.studies.tunnel_mission import ATTITUDE, START, Mission, echoes, fly, linearised, settling_time

__all__ = ["ATTITUDE", "START", "Mission", "echoes", "fly", "linearised", "settling_time"]
