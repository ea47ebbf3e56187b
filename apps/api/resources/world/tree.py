"""The tree of a simulation's world, with its norms."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Choice, plain_list_of
from apps.api.http.game_times import clock_of
from apps.api.http.simulation_views import SimulationView
from apps.simulation.queries import WorldChanged
from apps.world.tree import Node, NodeKind, WorldTree

NODE_KINDS = [kind.value for kind in NodeKind]


class OpeningHours(serializers.Serializer[Any]):
    """When a node is open; a closing time before the opening one lies in the next day."""

    opens = serializers.CharField()
    closes = serializers.CharField()


class NodeNorms(serializers.Serializer[Any]):
    """What is usual at a node."""

    hours = OpeningHours(allow_null=True)
    holds = serializers.IntegerField(allow_null=True, help_text="People at a time; null: any.")
    keepers = serializers.ListField(child=serializers.CharField())
    residents = serializers.ListField(child=serializers.CharField())


class WorldNode(serializers.Serializer[Any]):
    """The town, a place, an area or an object, with all that lies in it."""

    path = serializers.CharField(allow_blank=True, help_text="In words; empty for the town.")
    name = serializers.CharField()
    kind = Choice(choices=NODE_KINDS)
    norms = NodeNorms()
    idle_state = serializers.CharField(allow_null=True, help_text="Of an object, when unused.")
    children = plain_list_of("WorldNode")


class WorldTreeView(SimulationView):
    """The tree of a simulation's world."""

    errors: ClassVar = {"GET": (WorldChanged,)}

    @extend_schema(
        operation_id="getWorld",
        summary="The world as a tree: town, places, areas, objects, with their norms",
        tags=["town"],
        responses={200: WorldNode},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the tree."""
        tree = self.context.constants().world.tree
        return Response(WorldNode(_nested(tree, tree.root)).data)


def _nested(tree: WorldTree, node: Node) -> dict[str, Any]:
    hours = node.norms.hours
    return {
        "path": node.path,
        "name": node.name,
        "kind": node.kind.value,
        "norms": {
            "hours": {"opens": clock_of(hours[0]), "closes": clock_of(hours[1])}
            if hours
            else None,
            "holds": node.norms.holds,
            "keepers": node.norms.keepers,
            "residents": node.norms.residents,
        },
        "idle_state": node.idle_state if node.kind is NodeKind.OBJECT else None,
        "children": [_nested(tree, child) for child in tree.children(node.path)],
    }
