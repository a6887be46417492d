"""Filters: covariance of ill-conditioned problems, wrapped angles, refused input, cache and documentation."""

import runpy
from fractions import Fraction

import numpy as np
import pytest

from filter_models import reading
from pages import code_blocks, page, printed_by
from remora.files.problems import InputError
from remora.navigation.filters import OUTCOMES, AidingModel, Chart, compile_filter, run, table_of_series
from remora.navigation.filters.compiling import sources_key

pytestmark = [pytest.mark.xdist_group("filters"), pytest.mark.timeout(600)]  # one compilation for all


def add4(x, d):
    return (x[0] + d[0], x[1] + d[1], x[2] + d[2], x[3] + d[3])


def subtract4(y, x):
    return (y[0] - x[0], y[1] - x[1], y[2] - x[2], y[3] - x[3])


def constant(x, u, dt, row):
    return x


def weighted(x, u, row):
    return (u[0] * x[0] + u[1] * x[1] + u[2] * x[2] + u[3] * x[3],)


def first(x, u, row):
    return (x[0],)


def inverse_of_zero(x, u, row):
    return (1.0 / (x[0] - 1.0), x[1])


VECTOR = Chart(add4, subtract4)


@pytest.fixture(scope="module")
def static():
    """Four constants, seen through rows that the inputs give, or the first alone as an angle."""
    aidings = {"sum": AidingModel(weighted, (1e-6,)), "angle": AidingModel(first, (0.1,), (True,))}
    return compile_filter(VECTOR, constant, aidings, states=4, noise=(0.0,) * 4, inputs="row", input_size=4)


def plain_form(P, h, variance):
    g = P @ h
    P = P - np.outer(g, g) / (h @ g + variance)
    return 0.5 * (P + P.T)


def nearly_parallel_rows(count, seed=0):
    return 1.0 + 1e-6 * np.random.default_rng(seed).standard_normal((count, 4))


def test_an_ill_conditioned_covariance_stays_positive_definite(static):
    """E6: a prior of 1e8, variances of 1e-12 and nearly parallel rows; the plain form fails at once."""
    P = 1e8 * np.eye(4)
    for h in nearly_parallel_rows(5):
        P = plain_form(P, h, 1e-12)
    assert np.linalg.eigvalsh(P)[0] < -1.0

    belief, count = static.initial(np.zeros(4), np.full(4, 1e4)), 100_000
    for chunk in range(10):
        stamps = 10**6 * (1 + np.arange(count) + chunk * count)
        rows = nearly_parallel_rows(count, chunk)
        done = run(static, belief, table_of_series({"row": (stamps, rows), "sum": (stamps, np.zeros((count, 1)))}))
        belief = done.belief
        assert done.innovations["sum"].count("used") == count
        assert (done.sigma > 0.0).all()
        assert np.linalg.eigvalsh(belief.covariance)[0] > 0.0
        assert (belief.covariance == belief.covariance.T).all()
    assert (np.abs(belief.state) < 1e-3).all()


def test_the_covariance_is_that_of_exact_arithmetic(static):
    """E6: against the inverse of the information in fractions, whatever the order of magnitude."""
    rows = nearly_parallel_rows(12)
    belief = static.initial(np.zeros(4), np.full(4, 1e4))
    information = [[Fraction(int(i == j), 10**8) for j in range(4)] for i in range(4)]
    for k, h in enumerate(rows):
        belief, _ = static.step(belief, [reading("row", k + 1, h), reading("sum", k + 1, (0.0,))])
        exact = [Fraction(float(one)) for one in h]
        variance = Fraction(1e-6) ** 2
        for i in range(4):
            for j in range(4):
                information[i][j] += exact[i] * exact[j] / variance
    expected = np.array(inverse(information), dtype=float)
    scale = np.sqrt(np.outer(*[np.diag(expected)] * 2))
    assert np.abs((belief.covariance - expected) / scale).max() < 1e-6
    assert (belief.covariance == belief.covariance.T).all()


def inverse(matrix):
    """Inverse by Gauss-Jordan elimination, exact for fractions."""
    size = len(matrix)
    rows = [list(row) + [type(row[0])(int(i == j)) for j in range(size)] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = rows[i][i]
        rows[i] = [one / pivot for one in rows[i]]
        for j in range(size):
            if j != i:
                factor = rows[j][i]
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]


def test_innovations_of_angles_are_wrapped(static):
    belief = static.initial((np.pi - 0.05, 0, 0, 0), (0.1, 1, 1, 1))
    after, (result,) = static.step(belief, [reading("angle", 1, (-np.pi + 0.05,))])
    assert result.values[0] == pytest.approx(0.1, abs=1e-12)
    assert after.state[0] == pytest.approx(np.pi, abs=1e-9)


def test_impossible_input_is_refused(static):
    def made(**changes):
        given = {"aidings": {"a": AidingModel(first, (0.1,))}, "states": 4, "noise": (0.0,) * 4} | changes
        return compile_filter(VECTOR, constant, given.pop("aidings"), **given)

    cases = {
        "sigma of a is .*: give positive": {"aidings": {"a": AidingModel(first, (0.0,))}},
        "gate of a is 1.5": {"aidings": {"a": AidingModel(first, (1.0,), gate=1.5)}},
        "latency of a is -1": {"aidings": {"a": AidingModel(first, (1.0,), latency=-1)}},
        "wrap of a has 2 entries": {"aidings": {"a": AidingModel(first, (1.0,), (True, False))}},
        "noise holds a negative": {"noise": (-1.0, 0.0, 0.0, 0.0)},
        "minus returns 4 numbers: 3 are expected": {"noise": (0.0,) * 3},
        "measure of a returns 1 numbers: 2 are expected": {"aidings": {"a": AidingModel(first, (1.0, 1.0))}},
        "lag is -1": {"lag": -1},
        "names the inputs and an aiding sensor": {"inputs": "a"},
        "is not a plain function": {"aidings": {"a": AidingModel(np.sin, (1.0,))}},
    }
    for message, changes in cases.items():
        with pytest.raises(InputError, match=message):
            made(**changes)
    belief = static.initial(np.zeros(4), np.ones(4))
    with pytest.raises(InputError, match="negative eigenvalue -1"):
        static.initial(np.zeros(4), np.diag([1.0, 1.0, 1.0, -1.0]))
    with pytest.raises(InputError, match="state has shape"):
        static.initial(np.zeros(3), np.ones(4))
    with pytest.raises(InputError, match="no sensor 'sonar': it has row, sum, angle"):
        static.step(belief, [reading("sonar", 1, (0.0,))])
    with pytest.raises(InputError, match="a reading of sum has 2 values: give 1"):
        static.step(belief, [reading("sum", 1, (0.0, 0.0))])


MODULE = """
OFFSET = 1.0

def shifted(x):
    return x + OFFSET

def measure(x, u, row):
    return (shifted(x[0]),)
"""


@pytest.mark.parametrize(
    ("old", "new"), [("x[0]", "x[1]"), ("x + OFFSET", "x - OFFSET"), ("OFFSET = 1.0", "OFFSET = 2.0")]
)
def test_an_edited_function_is_never_served_from_the_cache(tmp_path, old, new):
    """The key changes with a function, with one that it calls, with a constant, and with the module of the function."""
    keys = []
    for k, text in enumerate((MODULE, MODULE.replace(old, new), MODULE)):
        path = tmp_path / f"version_{k}.py"
        path.write_text(text)
        keys.append(sources_key([runpy.run_path(str(path))["measure"]], (4, 4)))
    assert keys[0] == keys[2] != keys[1]
    moved = runpy.run_path(str(tmp_path / "version_0.py"), run_name="elsewhere")["measure"]
    assert sources_key([moved], (4, 4)) != keys[0]
    assert sources_key([eval("lambda x, u, row: (x[0],)")], (4, 4)) == ""


def test_a_measurement_of_another_length_is_not_compiled():
    """Where the plain function cannot be evaluated beforehand, the compiler refuses it."""
    with pytest.raises(InputError, match="a function returns 2 numbers, which is not the number expected"):
        compile_filter(VECTOR, constant, {"a": AidingModel(inverse_of_zero, (1.0,))}, states=4, noise=(0.0,) * 4)


def test_the_example_of_the_documentation_runs(tmp_path):
    (code,) = code_blocks(page("filters.md"))
    assert printed_by(code, tmp_path).strip().endswith("used")


def test_every_outcome_is_documented():
    for outcome in OUTCOMES:
        assert f"| `{outcome}` |" in page("filters.md")
