"""Is a tail a power law? Known laws, and the p-value's own distribution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import zeta

from edgewise.cli.profile.facts import facts, notes
from edgewise.cli.profile.tail import _zeta, tail


def histogram(degrees):
    return np.unique(degrees[degrees > 0], return_counts=True)


def power_law(rng, n, exponent, start):
    """Degrees of a power law, by looking up uniform numbers in its distribution."""
    values = np.arange(start, 200_000)
    share = 1 - zeta(exponent, values + 1.0) / zeta(exponent, start)
    return values[np.searchsorted(share, rng.random(n) * share[-1])]


def test_a_power_law_is_found():
    found = tail(*histogram(power_law(np.random.default_rng(1), 20_000, 2.5, 3)))
    assert found["plausible"]
    assert abs(found["exponent"] - 2.5) < 4 * found["error"]
    assert found["error"] < 0.05
    assert found["misfit"] < 0.02


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.lognormal(2, 1, 30_000).astype(int),
        lambda rng: rng.geometric(0.02, 30_000),
        lambda rng: rng.integers(1, 1000, 30_000),
    ],
    ids=["lognormal", "geometric", "uniform"],
)
def test_other_laws_are_refused(draw):
    found = tail(*histogram(draw(np.random.default_rng(2))))
    assert not found["plausible"] or found["vertices"] < 3000  # the far end may look like anything


@pytest.mark.slow
def test_p_values_of_power_laws_are_uniform():
    rng = np.random.default_rng(3)
    below = sum(
        tail(*histogram(power_law(rng, 1000, 2.3, 2)), seed=seed)["p_value"] < 0.2
        for seed in range(30)
    )
    assert below <= 14  # 6 are expected; more than 14 happen once in 3,000


def test_no_decade_no_exponent():
    assert tail(*histogram(np.random.default_rng(1).integers(1, 9, 10_000))) is None
    assert tail(np.zeros(0, np.int64), np.zeros(0, np.int64)) is None


@pytest.mark.parametrize("a", [1.1, 2.0, 3.7, 7.5])
def test_zeta(a):
    q = np.array([1.0, 2.0, 9.0, 10.0, 500.0])
    np.testing.assert_allclose(_zeta(a, q), zeta(a, q), rtol=2e-5)


def test_an_exponent_is_never_said_alone():
    from edgewise.cli.profile import measure
    from edgewise.generators import barabasi_albert, rmat

    good, bad = measure(barabasi_albert(20_000, 4, seed=6)), measure(rmat(12, seed=1))
    rows = dict(facts(good)["Degrees"])
    assert rows["power-law tail"].startswith("plausible (p = ")
    assert rows["tail exponent"].startswith("2.9")
    assert rows["fitted from degree"] == "11"
    assert float(rows["distance of the fit (KS)"]) < 0.01
    rows = dict(facts(bad)["Degrees"])
    assert rows["power-law tail"].startswith("no (p < 0.02)")
    assert "tail exponent" not in rows
    assert any("share of samples" in note for note in notes(bad))
