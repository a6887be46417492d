"""`control: {part: depth_keeper, depth: 3 m}`: a depth controller."""


class DepthKeeper:
    """PD control of the depth; the wrench (X, Y, Z, K, M, N) acts about the body origin in body axes."""

    def __init__(self, vehicle, period, depth, proportional=60.0, derivative=90.0):
        self.depth, self.proportional, self.derivative = depth, proportional, derivative

    def initial(self):
        """No state."""
        return None

    def step(self, state, now):
        """The wrench for control allocation."""
        if now.estimate is None:
            return state, None
        error = self.depth - now.estimate.p_NB[2]
        force = self.proportional * error - self.derivative * now.estimate.twist[2]
        return state, (0.0, 0.0, force, 0.0, 0.0, 0.0)
