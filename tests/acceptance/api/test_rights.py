"""Who may do what: every method of every route, asked for by everybody there could be."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from apps.access.commands import issue_token, revoke_token
from apps.access.membership import add_member
from apps.access.models import ApiToken
from apps.access.rights import Right, Role
from apps.api.urls import views
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, caller_of

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Needs(Enum):
    """What somebody needs for a request to be let in."""

    NOTHING = "open to everybody"
    TOKEN = "any user's token"
    ADMINISTRATOR = "the token of an administrator"
    READ = Right.READ
    COMMAND = Right.COMMAND
    OWN = Right.OWN


# Every operation, by its id.
NEEDS = {
    "getHealth": Needs.NOTHING,
    "getMetrics": Needs.NOTHING,  # from this machine, which is where tests call from
    "getSchema": Needs.NOTHING,
    "getDocs": Needs.NOTHING,
    "listWorlds": Needs.TOKEN,
    "listModels": Needs.TOKEN,
    "checkModel": Needs.ADMINISTRATOR,
    "estimateCosts": Needs.TOKEN,
    "listSimulations": Needs.TOKEN,
    "createSimulation": Needs.TOKEN,
    "listImports": Needs.TOKEN,
    "importSimulation": Needs.TOKEN,
    "estimateImport": Needs.TOKEN,
    "getImport": Needs.TOKEN,
    "deleteImport": Needs.TOKEN,
    "pauseImport": Needs.TOKEN,
    "resumeImport": Needs.TOKEN,
    "cancelImport": Needs.TOKEN,
    "exportSimulation": Needs.READ,
    "getSimulation": Needs.READ,
    "changeSimulation": Needs.OWN,
    "deleteSimulation": Needs.OWN,
    "runSimulation": Needs.COMMAND,
    "pauseSimulation": Needs.COMMAND,
    "getSettings": Needs.READ,
    "listMembers": Needs.READ,
    "addMember": Needs.OWN,
    "changeMember": Needs.OWN,
    "removeMember": Needs.OWN,
    "getState": Needs.READ,
    "getWorld": Needs.READ,
    "getMap": Needs.READ,
    "getMapImage": Needs.READ,
    "listAgents": Needs.READ,
    "addAgent": Needs.COMMAND,
    "getAgent": Needs.READ,
    "sendAgentAway": Needs.COMMAND,
    "getSummary": Needs.READ,
    "listKnownPlaces": Needs.READ,
    "listTimeline": Needs.READ,
    "getPlan": Needs.READ,
    "listMemories": Needs.READ,
    "getMemory": Needs.READ,
    "listAllMemories": Needs.READ,
    "listUtterances": Needs.READ,
    "listReflections": Needs.READ,
    "listFacts": Needs.READ,
    "retrieveMemories": Needs.READ,
    "interviewAgent": Needs.COMMAND,
    "giveInnerVoice": Needs.COMMAND,
    "giveObservation": Needs.COMMAND,
    "embodyAgent": Needs.COMMAND,
    "listInterviews": Needs.READ,
    "getInterview": Needs.READ,
    "estimateInterview": Needs.READ,
    "deleteInterview": Needs.COMMAND,
    "pauseInterview": Needs.COMMAND,
    "resumeInterview": Needs.COMMAND,
    "cancelInterview": Needs.COMMAND,
    "setObjectState": Needs.COMMAND,
    "listEmbodiments": Needs.READ,
    "getEmbodiment": Needs.READ,
    "handBack": Needs.COMMAND,
    "actEmbodied": Needs.COMMAND,
    "visit": Needs.COMMAND,
    "listEvents": Needs.READ,
    "getEvent": Needs.READ,
    "listModelCalls": Needs.READ,
    "getModelCall": Needs.READ,
    "getModelCallOutcomes": Needs.READ,
    "getProvenance": Needs.READ,
    "listConversations": Needs.READ,
    "getConversation": Needs.READ,
    "listRelationships": Needs.READ,
    "followEvents": Needs.READ,
    "compareSimulations": Needs.READ,
    "listForks": Needs.READ,
    "forkSimulation": Needs.READ,
    "listCounterfactuals": Needs.READ,
    "createCounterfactual": Needs.READ,
    "estimateCounterfactual": Needs.READ,
    "getCounterfactual": Needs.READ,
    "deleteCounterfactual": Needs.COMMAND,
    "resumeCounterfactual": Needs.READ,
    "pauseCounterfactual": Needs.READ,
    "cancelCounterfactual": Needs.READ,
    "listReplays": Needs.READ,
    "replaySimulation": Needs.COMMAND,
    "getReplay": Needs.READ,
    "deleteReplay": Needs.COMMAND,
    "resumeReplay": Needs.COMMAND,
    "estimateReplay": Needs.READ,
    "pauseReplay": Needs.COMMAND,
    "cancelReplay": Needs.COMMAND,
    "listModelTrials": Needs.READ,
    "requestModelTrial": Needs.COMMAND,
    "getModelTrial": Needs.READ,
    "listModelTrialAnswers": Needs.READ,
    "deleteModelTrial": Needs.COMMAND,
    "resumeModelTrial": Needs.COMMAND,
    "estimateModelTrial": Needs.READ,
    "pauseModelTrial": Needs.COMMAND,
    "cancelModelTrial": Needs.COMMAND,
    "listQuestionnaires": Needs.TOKEN,
    "addQuestionnaire": Needs.TOKEN,
    "getQuestionnaire": Needs.TOKEN,
    "deleteQuestionnaire": Needs.TOKEN,
    "listMeasures": Needs.TOKEN,
    "listExporters": Needs.TOKEN,
    "listJudges": Needs.TOKEN,
    "listVerifiers": Needs.TOKEN,
    "listExperiments": Needs.TOKEN,
    "createExperiment": Needs.TOKEN,
    "estimateExperiment": Needs.TOKEN,
    "getExperiment": Needs.TOKEN,
    "deleteExperiment": Needs.TOKEN,
    "pauseExperiment": Needs.TOKEN,
    "resumeExperiment": Needs.TOKEN,
    "cancelExperiment": Needs.TOKEN,
    "listExperimentRuns": Needs.TOKEN,
    "listExperimentEvents": Needs.TOKEN,
    "listExperimentResults": Needs.TOKEN,
    "listExperimentSummaries": Needs.TOKEN,
    "getExperimentFigure": Needs.TOKEN,
    "listExperimentFigures": Needs.TOKEN,
    "getExperimentReport": Needs.TOKEN,
    "getQuality": Needs.READ,
    "getQualityBadge": Needs.READ,
    "getSocialMeasures": Needs.READ,
    "measureDiffusion": Needs.READ,
    "measureAttendance": Needs.READ,
    "getRoutines": Needs.READ,
    "listPlots": Needs.READ,
    "getPlot": Needs.READ,
    "recordSimulation": Needs.READ,
    "checkClaims": Needs.READ,
    "listNewsSearches": Needs.READ,
    "requestNewsSearch": Needs.COMMAND,
    "estimateNewsSearch": Needs.READ,
    "getNewsSearch": Needs.READ,
    "deleteNewsSearch": Needs.COMMAND,
    "resumeNewsSearch": Needs.COMMAND,
    "pauseNewsSearch": Needs.COMMAND,
    "cancelNewsSearch": Needs.COMMAND,
    "getVerifiedDiffusion": Needs.READ,
    "listSurveys": Needs.READ,
    "requestSurvey": Needs.COMMAND,
    "estimateSurvey": Needs.READ,
    "getSurvey": Needs.READ,
    "deleteSurvey": Needs.COMMAND,
    "listSurveyInterviews": Needs.READ,
    "resumeSurvey": Needs.COMMAND,
    "pauseSurvey": Needs.COMMAND,
    "cancelSurvey": Needs.COMMAND,
    "listWrittenAnswers": Needs.READ,
    "writeAnswers": Needs.COMMAND,
    "listRankings": Needs.READ,
    "requestRanking": Needs.COMMAND,
    "getRanking": Needs.READ,
    "deleteRanking": Needs.COMMAND,
    "estimateRanking": Needs.READ,
    "resumeRanking": Needs.COMMAND,
    "pauseRanking": Needs.COMMAND,
    "cancelRanking": Needs.COMMAND,
    "listRankingTasks": Needs.READ,
    "getNextRankingTask": Needs.READ,
    "submitRanks": Needs.READ,
    "listJudgements": Needs.READ,
    "getRankingReport": Needs.READ,
    "getRankingFigure": Needs.READ,
    "listCommands": Needs.READ,
    "getCommand": Needs.READ,
    "getCosts": Needs.READ,
    "getCostEstimate": Needs.READ,
}
# Of the parameters of addresses; what is not named here is "1", which need not be anything.
EXAMPLES = {"agent": "isabella-rodriguez", "username": "isabella", "file": "tileset.png"}


@dataclass(frozen=True)
class Route:
    """An operation with its method and address."""

    operation_id: str
    method: str
    path: str

    def address(self, town: str) -> str:
        """Return the address below the town's."""
        values = EXAMPLES | {"simulation": town.rpartition("/")[2]}
        return re.sub(r"{(\w+)}", lambda found: values.get(found[1], "1"), self.path)


def routes() -> Iterator[Route]:
    """Yield every method of every view that is routed."""
    for view in views():
        for method in METHODS:
            if hasattr(view, method.lower()):
                operation = getattr(view, method.lower())
                yield Route(operation.operation_id, method, view.route())


ROUTES = list(routes())
KNOWN = [route for route in ROUTES if route.operation_id in NEEDS]


class TestTable:
    def test_says_of_every_route_what_it_needs(self) -> None:
        missing = sorted({route.operation_id for route in ROUTES} - set(NEEDS))
        assert not missing, (
            f"say in NEEDS what these operations need, as {missing[0]}: Needs.COMMAND; a "
            "view that needs another right than reading for GET and commanding for the rest "
            f"declares it, as rights = {{'POST': Right.READ}}: {missing}"
        )

    def test_names_no_route_that_there_is_not(self) -> None:
        assert not set(NEEDS) - {route.operation_id for route in ROUTES}


@pytest.fixture
def callers(town: str, isabella: Caller, klaus: Caller, administrator: Caller) -> Any:
    """Return a caller for each role in Isabella's town, by role; Klaus has none in it."""
    simulation_id = SimulationRow.objects.get(pk=town.rpartition("/")[2]).pk
    found: dict[Any, Caller] = {None: klaus, "founder": isabella, "admin": administrator}
    for role in Role:
        user = User.objects.create_user(f"the-{role}")
        add_member(simulation_id, user.username, role, by="isabella")
        found[role] = caller_of(user)
    return found


def is_let_in(caller: Caller, route: Route, town: str) -> tuple[bool, int, str]:
    """Return whether the request passes the door, with the answer; it leaves no trace."""
    with transaction.atomic():
        response = caller.client.generic(
            route.method,
            route.address(town),
            b"" if route.method == "GET" else b"{}",
            content_type="application/json",
            headers=caller.headers,
        )
        transaction.set_rollback(True)
    is_problem = response.headers.get("Content-Type") == "application/problem+json"
    code = response.json()["code"] if is_problem else ""
    # A stream is let in and then told that this test has no server that keeps it open.
    assert response.status_code < 500 or code == "streams-need-asgi", response.content
    turned_away = response.status_code in {401, 403} or code == "simulation-unknown"
    return not turned_away, response.status_code, code


@pytest.mark.parametrize("route", KNOWN, ids=lambda route: route.operation_id)
class TestEveryRoute:
    def test_turns_away_whoever_shows_no_valid_token(
        self, route: Route, town: str, isabella: Caller
    ) -> None:
        user = User.objects.get(username="isabella")
        revoked, ended = (
            Caller(issue_token(user, "revoked")),
            Caller(
                issue_token(user, "ended", expires_at=timezone.now() - timedelta(seconds=1))
            ),
        )
        revoke_token(ApiToken.objects.get(name="revoked").pk)
        if NEEDS[route.operation_id] is Needs.NOTHING:
            assert is_let_in(Caller(), route, town)[0]
            return
        assert is_let_in(Caller(), route, town)[1:] == (401, "token-missing")
        for caller in (Caller("sv_wrong"), revoked, ended):
            assert is_let_in(caller, route, town)[1:] == (401, "token-invalid")

    def test_lets_in_whom_the_table_says(
        self, route: Route, town: str, callers: dict[Any, Caller]
    ) -> None:
        needs = NEEDS[route.operation_id]
        rights = {Role.GUEST: 1, Role.COLLABORATOR: 2, Role.OWNER: 3, "founder": 3, "admin": 3}
        for role, caller in callers.items():
            let_in, status, code = is_let_in(caller, route, town)
            if needs is Needs.ADMINISTRATOR and role != "admin":
                assert (status, code) == (403, "not-allowed"), role
            elif not isinstance(needs.value, Right):
                assert let_in, (role, status, code)
            elif role is None:
                assert (status, code) == (404, "simulation-unknown")
            elif rights[role] >= needs.value:
                assert let_in, (role, status, code)
            else:
                assert (status, code) == (403, "not-allowed"), role

    def test_lets_a_token_that_only_reads_do_no_more(
        self, route: Route, town: str, isabella: Caller
    ) -> None:
        needs = NEEDS[route.operation_id]
        founds = needs is Needs.TOKEN and route.method != "GET"
        # An estimate creates nothing.
        founds &= route.operation_id not in {"estimateExperiment", "estimateImport"}
        # A branch is a simulation of the reader.
        founds |= route.operation_id in {"forkSimulation", "createCounterfactual"}
        user = User.objects.get(username="isabella")
        reader = Caller(issue_token(user, "a page", reads_only=True))
        let_in, status, code = is_let_in(reader, route, town)
        if needs in {Needs.COMMAND, Needs.OWN, Needs.ADMINISTRATOR} or founds:
            assert (status, code) == (403, "not-allowed")
        else:
            assert let_in, (status, code)
