"""The clock of the block, what it refuses, and that its state is passed."""

import pickle
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from block_samples import MOVING, REFERENCES, WATER, changed, go, vita1

from remora.plant import ADAMS_BASHFORTH_2
from remora.plant.plant import Plant
from remora.vehicles import load_vehicle
from remora_evidence.simu2vita_block.block import BlockInputs, BlockOutputs, VehicleBlock
from remora_evidence.simu2vita_block.parameters import ActuatorTab, AllocationTab, BlockError, DynamicsTab

U = np.array(REFERENCES)


def clocked(**actuators):
    """vita1 behind an external clock."""
    return changed(vita1(), actuators={"use_external_clock": True, **actuators})


def run_by_clock(block, readings):
    """The state after a row of clock readings."""
    state = block.initial()
    for reading in readings:
        state, outputs = block.step(state, BlockInputs(U, simulation_time=reading))
    return state, outputs


@pytest.mark.parametrize("base", [5.0, 1e9, 1.7e9, -3.0])
def test_offset_of_the_clock_does_not_matter(base):
    """The same to the last bit, start times included, for a clock that begins at 1e9 s."""
    block = clocked(start_times=0.0123)
    steps = [k * 0.0025 for k in range(400)]
    first, _ = run_by_clock(block, steps)
    second, _ = run_by_clock(block, [base + s for s in steps])
    assert second.base_ns == base * 1e9
    assert second.time_ns == first.time_ns == 997_500_000
    assert second.body_and_actuators == first.body_and_actuators
    exact, _ = run_by_clock(block, [Decimal(base) + Decimal(25 * k) / 10000 for k in range(400)])
    assert exact == second


def test_external_clock_equals_own_steps():
    by_clock, _ = run_by_clock(clocked(), [7.0 + 0.01 * k for k in range(101)])
    own, _ = go(vita1(), 1.0, 0.01, u_input=U)
    assert by_clock.body_and_actuators == own.body_and_actuators


def test_first_reading_is_the_base_and_a_clock_that_stands_still_is_a_pause():
    block = clocked()
    state, outputs = run_by_clock(block, [1e9])
    assert (state.time_ns, state.base_ns) == (0, 10**18)
    assert state.body_and_actuators == block.initial().body_and_actuators
    assert np.array_equal(outputs.actuator_output, np.zeros(8))
    paused, _ = run_by_clock(block, [2.0, 2.0, 2.1, 2.1, 2.1, 2.2])
    assert paused == run_by_clock(block, [2.0, 2.1, 2.2])[0]


def test_a_clock_that_goes_back_or_jumps_is_refused():
    block = clocked()
    with pytest.raises(ValueError, match=r"time goes back by 0\.5 s, from 1 s"):
        run_by_clock(block, [4.0, 5.0, 4.5])
    with pytest.raises(ValueError, match=r"time jumps by 1\.7e\+09 s"):
        run_by_clock(block, [0.0, 1.7e9])
    with pytest.raises(ValueError, match="simulation_time is nan: give a finite number"):
        run_by_clock(block, [float("nan")])
    with pytest.raises(ValueError, match="give simulation_time among the inputs, and no dt"):
        block.step(block.initial(), BlockInputs(U), 0.01)
    with pytest.raises(ValueError, match="dt is missing"):
        vita1().step(vita1().initial(), BlockInputs(U))
    with pytest.raises(ValueError, match=r"time goes back by 0\.01 s"):
        vita1().step(vita1().initial(), BlockInputs(U), -0.01)
    with pytest.raises(ValueError, match="whole nanoseconds"):
        vita1().step(vita1().initial(), BlockInputs(U), 1e-10)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        (BlockInputs(np.zeros(7)), r"u_input has shape \(7,\): give \(8,\)"),
        (BlockInputs(np.full(8, np.nan)), r"u_input\[0\] is nan"),
        (BlockInputs(U, external_forces=np.zeros(3)), r"external_forces has shape \(3,\)"),
        (BlockInputs(U, external_forces=lambda y, v_r, t: np.zeros(5)), r"external_forces has shape \(5,\)"),
        (BlockInputs(U, current_velocity=np.zeros(4)), r"current_velocity has shape \(4,\): give \(3,\) or \(6,\)"),
        (BlockInputs(U, current_velocity=(0, 0, 0, 0, 0, 1.0)), "a current is irrotational here"),
        (BlockInputs(U, init_actuator_time=(1.0, 2.0)), r"init_actuator_time has shape \(2,\)"),
    ],
)
def test_inputs_that_cannot_be_used(inputs, words):
    block = vita1()
    with pytest.raises(ValueError, match=words):
        block.step(block.initial(), inputs, 0.01)


def test_missing_external_matrix():
    block = changed(vita1(), allocation={"use_external_matrix": True})
    with pytest.raises(ValueError, match="Alloc_matrix is not connected"):
        block.step(block.initial(), BlockInputs(U), 0.01)
    with pytest.raises(ValueError, match=r"Alloc_matrix has shape \(6, 7\)"):
        block.step(block.initial(), BlockInputs(U, Alloc_matrix=np.zeros((6, 7))), 0.01)


def test_six_numbers_of_current_and_the_tab_value():
    by_tab, _ = go(vita1(water_current=WATER), 1.0, 0.1, u_input=U)
    six, _ = go(vita1(), 1.0, 0.1, u_input=U, current_velocity=(*WATER, 0.0, 0.0, 0.0))
    overridden, shown = go(vita1(water_current=(9.0, 9.0, 9.0)), 1.0, 0.1, u_input=U, current_velocity=WATER)
    assert by_tab == six == overridden
    assert np.linalg.norm(shown[-1].current_velocity) == pytest.approx(np.linalg.norm(WATER), abs=1e-15)


BAD = {
    "actuators": {"time_constants": (0.1, -0.1), "lower_limits": (2.0, -1.0), "upper_limits": 1.0, "start_times": "x"},
    "allocation": {"matrix": np.zeros((6, 3))},
    "dynamics": {
        "mass": -1.0, "volume": -0.1, "inertia": (0.1, 0.1, 0.9), "added_mass": (-50.0, 0, 0, 0, 0, 0),
        "linear_damping": (0, -2.0, 0, 0, 0, 0), "nonlinear_damping": (1.0, 2.0), "initial_pose": np.zeros(7),
        "water_current": (0, 0, 0, 1.0, 0, 0), "gravity": float("nan"),
    },
}  # fmt: skip


def test_all_problems_are_told_at_once():
    tabs = (
        ActuatorTab(2, **BAD["actuators"]),
        AllocationTab(**BAD["allocation"]),
        DynamicsTab(**BAD["dynamics"]),
    )
    with pytest.raises(BlockError) as caught:
        VehicleBlock(*tabs, before_start="wait", maximum_step=0.0, method=ADAMS_BASHFORTH_2, current_frame="moon")
    text = str(caught.value)
    for words in (
        "current_frame is 'moon': give world or body", "before_start is 'wait'", "maximum_step is 0.0",
        "method adams_bashforth_2 carries a history", "actuators.time_constants[1] is -0.1: must be above zero",
        "actuators.lower_limits[0] is 2: must not be above the upper limit", "actuators.start_times",
        "allocation.matrix has shape (6, 3): give (6, 2) numbers", "dynamics.mass is -1: must be above zero",
        "dynamics.volume is -0.1: must not be negative", "triangle inequality", "dynamics.linear_damping[1] is -2",
        "dynamics.nonlinear_damping has shape (2,): give (6,)", "dynamics.initial_pose has a quaternion of length 0",
        "dynamics.water_current[3:][0] is 1: a current is irrotational", "dynamics.gravity holds something",
    ):  # fmt: skip
        assert words in text, words
    assert len(caught.value.problems) == len(text.splitlines())
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dynamics": {"added_mass": (-50.0, 0, 0, 0, 0, 0)}}, "dynamics.added_mass: has a negative eigenvalue"),
        ({"dynamics": {"added_mass": np.triu(np.ones((6, 6)))}}, "added mass must be symmetric"),
        ({"dynamics": {"inertia": ((1, 0.2, 0), (0, 1, 0), (0, 0, 1))}}, "inertia must be symmetric"),
        ({"dynamics": {"center_of_gravity": (0.0, 0.0, 0.5)}}, "the smallest principal moment is"),
        ({"dynamics": {"mass": "heavy"}}, "dynamics.mass holds something that is not a finite number: 'heavy'"),
        ({"actuators": {"number": -1}}, "actuators.number is -1"),
        ({"actuators": {"number": 2.5}}, "actuators.number is 2.5"),
        ({"actuators": {"time_constants": ()}}, r"actuators.time_constants has shape \(0,\)"),
        ({"allocation": {"matrix": None}}, "allocation.matrix is missing"),
    ],
)
def test_single_problems(change, words):
    with pytest.raises(BlockError, match=words):
        changed(vita1(), **change)


def test_vehicles_that_the_block_has_no_place_for():
    with pytest.raises(BlockError, match="gavia has fins") as caught:
        VehicleBlock.from_vehicle(load_vehicle("gavia"))
    assert all(problem.endswith("the block knows none") for problem in caught.value.problems)


def test_block_of_a_vehicle_moves_as_the_plant_does():
    vehicle = load_vehicle("vita1")
    plant = Plant(vehicle)
    state, _ = go(VehicleBlock.from_vehicle(vehicle), 2.0, 0.05, u_input=U, current_velocity=WATER)
    end = plant.step(plant.initial_state(), U, 2.0, 2000, water=WATER)
    assert np.array(state.body_and_actuators) == pytest.approx(end, abs=1e-11)


def test_state_is_passed_and_nothing_else_remembers():
    """Two runs at once, one resumed from a stored state, and inputs that are left as they were."""
    block = vita1(initial_velocity=MOVING)
    inputs = BlockInputs(U.copy(), np.zeros(6), None, WATER.copy(), np.zeros(8))
    whole, _ = go(block, 1.0, 0.01, u_input=U, current_velocity=WATER)
    a = b = block.initial()
    for _ in range(50):
        a, _ = block.step(a, inputs, 0.01)
        b, outputs = block.step(b, inputs, 0.02)
        outputs.actuator_output[:] = outputs.nu[:] = outputs.before_saturation[:] = 1e9
    resumed = pickle.loads(pickle.dumps(a))
    for _ in range(50):
        resumed, _ = block.step(resumed, inputs, 0.01)
    assert resumed == whole
    assert b.time == 1.0
    assert np.array_equal(inputs.u_input, U)
    assert np.array_equal(inputs.current_velocity, WATER)


def test_a_function_cannot_write_into_the_state():
    def greedy(y, v_r, t):
        y[:], v_r[:] = 1e9, 1e9
        return np.zeros(6)

    plain, _ = go(vita1(), 0.1, 0.01, u_input=U)
    written, _ = go(changed(vita1(), nonlinear_allocation=greedy), 0.1, 0.01, u_input=U, external_forces=greedy)
    assert np.array(written.body_and_actuators) == pytest.approx(plain.body_and_actuators, abs=1e-12)


def test_signals_have_the_names_of_the_article():
    assert set(BlockInputs._fields) == {
        "u_input", "Alloc_matrix", "external_forces", "current_velocity", "init_actuator_time", "simulation_time",
    }  # fmt: skip
    assert BlockOutputs._fields[:9] == (
        "actuator_output", "tau_input", "tau", "nu_dot", "nu", "eta_dot", "eta", "current_velocity",
        "vehicle_resultant_forces",
    )  # fmt: skip
    block = vita1()
    sizes = [signal.shape for signal in block.outputs(block.initial(), BlockInputs(U))]
    assert sizes == [(8,), (6,), (6,), (6,), (6,), (7,), (7,), (6,), (6,), (8,), (8,)]


def test_tabs_are_frozen():
    block = vita1()
    with pytest.raises(AttributeError):
        block.dynamics.mass = 1.0
    with pytest.raises(AttributeError):
        block.maximum_step = 1.0
    assert replace(block, maximum_step=0.01).maximum_step == 0.01
