"""Measures of places on numbers whose result is known."""

import pytest

from apps.evaluation.social.social_measures import radius_of_gyration
from apps.evaluation.statistics.bootstrap import jensen_shannon_divergence


class TestDivergence:
    @pytest.mark.parametrize(
        ("one", "other", "bits"),
        [
            ({"home": 1.0}, {"home": 1.0}, 0.0),
            ({"home": 1.0}, {"cafe": 1.0}, 1.0),
            ({"home": 0.5, "cafe": 0.5}, {"home": 1.0}, 0.311278),
            # The entropy of the mean is 1 bit, that of each 0.811278.
            ({"home": 0.25, "cafe": 0.75}, {"home": 0.75, "cafe": 0.25}, 0.188722),
        ],
    )
    def test_is_known(
        self, one: dict[str, float], other: dict[str, float], bits: float
    ) -> None:
        assert jensen_shannon_divergence(one, other) == pytest.approx(bits, abs=1e-6)
        assert jensen_shannon_divergence(other, one) == pytest.approx(bits, abs=1e-6)


def test_radius_is_the_distance_from_the_mean_position() -> None:
    assert radius_of_gyration([(3, 4)]) == 0
    assert radius_of_gyration([(0, 0), (6, 8)]) == 5
