"""Draws rankings from the paper's ratings, and rates them again: what its figures rest on.

    .venv/bin/python -m benchmarks.paper_ratings

Each evaluation has 100 rankings, as the paper's has. In each of them every condition performs
as TrueSkill supposes: its rating, with a normal deviation of TrueSkill's beta.
"""

from collections.abc import Sequence
from random import Random
from statistics import fmean

from apps.evaluation.rankings.condition_statistics import RankedAnswers, cohens_d, statistics_of
from apps.evaluation.rankings.queries import RATINGS_OF_PAPER
from apps.evaluation.statistics.trueskill import BETA, Rating, win_probability

EVALUATIONS, RANKINGS = 40, 100


def drawn_rankings(seed: int) -> list[RankedAnswers]:
    """Return the rankings of one evaluation."""
    chance = Random(seed)
    found = []
    for _ in range(RANKINGS):
        performed = {name: chance.gauss(mu, BETA) for name, (mu, _) in RATINGS_OF_PAPER.items()}
        order = sorted(performed, key=lambda name: -performed[name])
        found.append(RankedAnswers(ranks={name: 1 + order.index(name) for name in performed}))
    return found


def line_of(name: str, values: Sequence[float]) -> str:
    """Return the mean with the least and the greatest value."""
    return f"{name:58} {fmean(values):7.2f} ({min(values):.2f} to {max(values):.2f})"


def main() -> None:
    """Print the figures that follow from the ratings, and those of drawn evaluations."""
    printed = {name: Rating(mu, sigma) for name, (mu, sigma) in RATINGS_OF_PAPER.items()}
    best, worst = (pick(printed.values(), key=lambda one: one.mu) for pick in (max, min))
    print(f"d of the printed ratings: {cohens_d(best, worst):.2f}")
    print(f"the best is above the worst with probability {win_probability(best, worst):.3f}")
    found = [
        statistics_of(list(RATINGS_OF_PAPER), drawn_rankings(seed), seed=seed)
        for seed in range(EVALUATIONS)
    ]
    for name in RATINGS_OF_PAPER:
        rated = [next(x for x in one.conditions if x.condition == name) for one in found]
        print(line_of(f"{name}: mu", [one.mu for one in rated]))
        print(line_of(f"{name}: sigma", [one.sigma for one in rated]))
        print(line_of(f"{name}: Plackett-Luce mu", [one.plackett_luce_mu for one in rated]))
        print(
            line_of(f"{name}: Plackett-Luce sigma", [one.plackett_luce_sigma for one in rated])
        )
    print(line_of("d", [one.effect_size or 0 for one in found]))
    print(line_of("H", [one.kruskal_wallis.statistic or 0 for one in found]))
    print(line_of("Friedman", [one.friedman.statistic or 0 for one in found]))


if __name__ == "__main__":
    main()
