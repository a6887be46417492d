"""All measurements, in the order in which they run; rooms that come later append theirs."""

from remora.evidence.benchmarks import (
    currents,
    estimators as estimating,
    fits as identifying,
    loop as looping,
    mujoco_water as engines,
    startup as starting,
    steps as speed,
    tethers,
)
from remora.evidence.benchmarks.goals import Goal, Measurement, Wanted

MEASUREMENTS: list[Measurement] = [
    Measurement(
        "steps in a loop",
        (
            Wanted("loop_vs_mujoco", "RK4 loop against MuJoCo's Euler in C", "x", Goal(4.5)),
            Wanted("loop_vs_mujoco_rk4", "RK4 loop against MuJoCo's RK4 in C", "x", Goal(18.0)),
            Wanted("loop_steps_per_second", "RK4 loop, full 6x6 vehicle with six lagged thrusters", "steps/s"),
            Wanted("falcon_steps_per_second", "RK4 loop, Falcon", "steps/s"),
        ),
        speed.measure_loop,
    ),
    Measurement(
        "one call per step",
        (
            Wanted("call_vs_mujoco", "one RK4 call per step from Python against MuJoCo's Euler", "x", Goal(1.5)),
            Wanted("call_steps_per_second", "one RK4 call per step from Python", "steps/s"),
        ),
        speed.measure_calls,
    ),
    Measurement(
        "many vehicles on one core",
        (
            Wanted("batch_vs_mujoco", "batch of different vehicles against MuJoCo's rollout, per thread", "x", Goal(9)),
            Wanted("batch_steps_per_second", "batch of different vehicles on one core", "steps/s"),
        ),
        speed.measure_batch,
    ),
    Measurement(
        "many vehicles on several cores",
        (
            Wanted("batch_core_scaling", "batch on two cores against one", "x", Goal(1.7)),
            Wanted("batch_all_cores_scaling", "batch on all cores against one", "x"),
            Wanted("batch_all_cores_steps_per_second", "batch on all cores", "steps/s"),
            Wanted("bare_core_scaling", "two bare loops on two cores against one: what this machine gives now", "x"),
        ),
        speed.measure_cores,
    ),
    Measurement(
        "the tunnel mission",
        (
            Wanted("mission_speed", "80 s tunnel mission with its log, times real time", "x", Goal(100)),
            Wanted("mission_log_cost", "what the log adds to the mission", "%", Goal(25, at_least=False)),
        ),
        looping.measure_mission,
    ),
    Measurement(
        "a bare loop",
        (Wanted("bare_loop_speed", "10 ms plant step and small Python controller, times real time", "x", Goal(2000)),),
        looping.measure_bare_loop,
    ),
    Measurement(
        "a current with shear and gusts",
        (
            Wanted("current_plant_cost", "what shear and gusts add to the compiled plant", "%", Goal(30, False)),
            Wanted("current_loop_cost", "what shear and gusts add to the bare loop", "%", Goal(30, False)),
        ),
        currents.measure_currents,
    ),
    Measurement(
        "memory of an hour",
        (Wanted("hour_memory_growth", "memory of an hour of the loop over that of ten minutes", "MB", Goal(1, False)),),
        looping.measure_memory,
    ),
    Measurement(
        "a trajectory fit",
        (
            Wanted("output_error_fit", "CPU to fit 24 parameters to ten minutes at 20 Hz", "s", Goal(3, False)),
            Wanted("output_error_miss", "error of its numbers, started 30 % wrong", "%", Goal(1, False)),
        ),
        identifying.measure_output_error,
    ),
    Measurement(
        "a regression of an hour",
        (
            Wanted("least_squares_hour", "CPU to fit 18 parameters to an hour at 100 Hz", "s", Goal(2, False)),
            Wanted("least_squares_hour_memory", "memory it takes at its peak", "MB", Goal(500, False)),
        ),
        identifying.measure_hour,
    ),
    Measurement(
        "recursive least squares",
        (
            Wanted("recursive_update_rate", "three axes of six values, one call per sample", "samples/s", Goal(20_000)),
            Wanted("recursive_record_rate", "the same over a whole record", "samples/s"),
        ),
        estimating.measure_recursive,
    ),
    Measurement(
        "water inside MuJoCo",
        (
            Wanted("mujoco_water_rk4_cost", "RK4 step of MuJoCo with our water over a bare one", "x", Goal(3, False)),
            Wanted(
                "mujoco_water_euler_cost", "Euler step of MuJoCo with our water over a bare one", "x", Goal(3, False)
            ),
            Wanted("mujoco_wrench_cost", "Euler step with one wrench of water over a bare one", "x", Goal(3, False)),
        ),
        engines.measure_water,
    ),
    Measurement(
        "a vehicle on a tether",
        (
            Wanted(
                "tether_50_nodes", "BlueROV2 on a tether of 50 nodes against real time, 10 ms steps", "x", Goal(20.0)
            ),
        ),
        tethers.measure_tether,
    ),
    Measurement(
        "start with compiled kernels",
        (Wanted("warm_start_seconds", "CPU until the first step", "s", Goal(2.0, at_least=False)),),
        starting.measure_warm_start,
    ),
    Measurement(
        "remora --help",
        (Wanted("help_cpu_seconds", "CPU of remora --help", "s", Goal(0.4, at_least=False)),),
        starting.measure_help,
    ),
    Measurement(
        "start with an empty cache (compiles everything)",
        (Wanted("cold_start_seconds", "CPU until the first step, once per machine", "s"),),
        starting.measure_cold_start,
    ),
]
