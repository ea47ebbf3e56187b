"""Designs of experiments are read, refused with clear words, and written back."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from apps.experiments.argued_measures import selected_measures
from apps.experiments.design import (
    ExperimentDesign,
    UnusableExperiment,
    read_design,
)
from apps.experiments.measure_registry import MeasureUnknown
from apps.kernel.strict_yaml import load_yaml_file

pytestmark = pytest.mark.unit

GUIDES = Path(__file__).parents[3] / "docs" / "how_to" / "experiments"
SMALL: dict[str, Any] = {
    "name": "small",
    "seeds": [3, 1],
    "moments": ["2023-02-13T12:00"],
    "measures": ["plans.begun_share"],
}
SAD = {
    "at": 30,
    "commands": [{"kind": "inner-voice", "agent": "Maria Lopez", "text": "You are sad"}],
}
PARTY = {"name": "party", "topic": ["party"], "place": "Hobbs Cafe", "from": 5, "to": 9}


def design_of(**changes: Any) -> ExperimentDesign:
    return read_design(SMALL | changes)


class TestDesign:
    @pytest.mark.parametrize("path", sorted(GUIDES.glob("*.yaml")), ids=lambda path: path.name)
    def test_of_every_guide_is_the_same_after_writing(self, path: Path) -> None:
        design = read_design(load_yaml_file(path))
        assert read_design(design.to_json()).to_json() == design.to_json()

    def test_has_a_condition_for_each_combination_of_levels(self) -> None:
        design = design_of(
            settings={"near": {"vision": 4}, "far": {"vision": 16}},
            interventions={"none": {}, "sad": SAD},
        )
        assert [one.levels for one in design.conditions] == [
            ("smallville", "near", "default", "none"),
            ("smallville", "near", "default", "sad"),
            ("smallville", "far", "default", "none"),
            ("smallville", "far", "default", "sad"),
        ]
        assert design.label_of(design.conditions[3]) == "far, sad"
        assert design.baseline_condition == design.conditions[0]

    def test_runs_the_conditions_of_a_seed_together_behind_their_base(self) -> None:
        design = design_of(interventions={"sad": SAD, "none": {}})
        assert [run.rpartition("default/")[2] for run in design.runs] == [
            "none/3", "sad/3", "none/1", "sad/1",
        ]  # fmt: skip

    def test_keeps_the_order_of_levels_as_it_is_stored(self) -> None:
        design = design_of(settings={"longest-name": {}, "b": {"vision": 4}})
        stored = json.loads(json.dumps(design.to_json()))
        assert list(read_design(stored).settings) == ["longest-name", "b"]

    def test_reads_a_range_of_seeds_with_both_ends(self) -> None:
        assert design_of(seeds={"from": 8, "to": 10}).seeds == (8, 9, 10)

    def test_counts_runs_of_shared_pasts_apart(self) -> None:
        interventions = {"sad": SAD, "sadder": SAD | {"at": 31}}
        assert design_of(interventions=interventions).shared_pasts == 2
        assert design_of(interventions={"none": {}, "sad": SAD}).shared_pasts == 0


class TestFaults:
    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"seed": [1]}, "there is no field 'seed'; did you mean 'seeds'?"),
            ({"seeds": []}, "seeds must be a list of 1 to 1000 items"),
            ({"seeds": [True]}, "seeds.0 must be a whole number"),
            ({"moments": ["noon"]}, "neither a tick nor a game time"),
            ({"moments": ["2023-02-13T12:00+01:00"]}, "leave the offset out"),
            ({"name": "a b"}, "letters, digits"),
            ({"title": "a\0b"}, "leave it out"),
            ({"interventions": {"a": {}, "b": {}}}, "both do nothing"),
            ({"interventions": {"a": {"at": 3}}}, "needs the member 'commands'"),
            (
                {"interventions": {"a": {"at": 3, "commands": [{"kind": "shout"}]}}},
                "inner-voice",
            ),
            ({"measures": [{"diffusion": {"name": "x"}}]}, "needs either topic"),
            (
                {"measures": [{"diffusion": {"name": "x", "topic": ["a"], "news": "b"}}]},
                "needs either topic",
            ),
            (
                {"measures": [{"diffusion": {"name": "x", "news": "b", "asks": ["c"]}}]},
                "asks, which means nothing beside news",
            ),
            (
                {
                    "measures": [
                        {"diffusion": {"name": "x", "news": "Bo runs", "verifier": "ruls"}}
                    ]
                },
                "did you mean 'rule'?",
            ),
            (
                {"measures": [{"diffusion": {"name": "x", "news": "of the"}}]},
                "measures.0.diffusion.news: the news tells nothing",
            ),
            ({"measures": [{"attendance": PARTY | {"hosts": "ada"}}]}, "must be a list"),
            ({"measures": [{"attendance": PARTY | {"hosts": ["ada"] * 2}}]}, "'ada' twice"),
            (
                {"measures": [{"diffusion": {"name": "x", "topic": ["a"], "hosts": []}}]},
                "there is no field 'hosts'",
            ),
            ({"measures": [{"survey": {"questionnaire": "papr"}}]}, "did you mean 'paper'?"),
            ({"budget": {"tokens": 0}}, "budget.tokens"),
            ({"budget": {"money": "a lot"}}, "budget.money"),
            ({"references": {"plans.begun_share": [1, 2]}}, "each of the 1 moments"),
            ({"references": {"plans.begun_share": float("nan")}}, "must be a number"),
        ],
    )
    def test_name_their_place(self, changes: dict[str, Any], words: str) -> None:
        with pytest.raises(UnusableExperiment) as caught:
            design_of(**changes)
        assert words in caught.value.message


class TestBounds:
    def test_of_runs_is_checked_before_they_are_made(self) -> None:
        levels: dict[str, Any] = {f"l{number}": {} for number in range(50)}
        sad = {name: SAD | {"at": 30 + place} for place, name in enumerate(levels)}
        tracemalloc.start()
        with pytest.raises(UnusableExperiment, match="125,000 conditions and 2 seeds"):
            design_of(
                settings=levels, models=dict.fromkeys(levels, "offline"), interventions=sad
            )
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 5_000_000, "bytes: the conditions were made"

    def test_of_values_is_the_product_of_runs_moments_and_measures(self) -> None:
        measures = ["network", "plans", "quality", "conversations"]
        values = 1_000 * 200 * len(design_of(measures=measures).measured_names)
        with pytest.raises(UnusableExperiment, match=f"1,000 runs have {values:,} values"):
            design_of(
                seeds={"from": 1, "to": 1_000}, moments=[*range(1, 201)], measures=measures
            )


class TestMeasures:
    def test_are_selected_by_the_beginning_of_their_names(self) -> None:
        assert selected_measures(["network.met", "plans.short", "network.met.ties"]) == (
            "network.met.density",
            "network.met.mean_degree",
            "network.met.clustering",
            "network.met.ties",
            "plans.short",
        )

    def test_that_are_unknown_have_those_like_them_named(self) -> None:
        for unknown, meant in (("difusion", "diffusion"), ("plans.begun", "plans.begun_share")):
            with pytest.raises(MeasureUnknown, match=f"did you mean '{meant}'"):
                selected_measures([unknown])
        with pytest.raises(MeasureUnknown, match=r"plans\.begun_share.*diffusion"):
            selected_measures(["qqq"])

    def test_with_arguments_have_a_name_for_each_value(self) -> None:
        news = {"name": "party", "topic": ["party"]}
        design = design_of(measures=[{"diffusion": news}], moments=[10])
        assert design.measured_names[1] == "diffusion.party.share"
        told = {"name": "party", "news": "Ada has a party", "verifier": "rule"}
        design = design_of(measures=[{"diffusion": told}], moments=[10])
        assert design.measured_names[-2:] == (
            "diffusion.party.hallucinated",
            "diffusion.party.unverified",
        )
        assert read_design(design.to_json()).to_json() == design.to_json()
        design = design_of(measures=[{"attendance": PARTY}], moments=[10])
        assert design.measured_names[0] == "attendance.party.knew"
        assert read_design(design.to_json()).to_json() == design.to_json()

    @pytest.mark.parametrize("hosts", [None, [], ["ada-mill", "ben-mill"]])
    def test_keep_the_hosts_of_a_gathering(self, hosts: list[str] | None) -> None:
        design = design_of(measures=[{"attendance": PARTY | {"hosts": hosts}}], moments=[10])
        [party] = design.gatherings
        assert party.hosts == (None if hosts is None else tuple(hosts))
        assert read_design(design.to_json()).to_json() == design.to_json()
