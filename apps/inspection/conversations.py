"""Conversations as dialogue: each utterance leads to the reasons for it."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from apps import history
from apps.agents import queries as agent_queries
from apps.history import MemoryKind
from apps.inspection.filters import AgentFilter, ComposedText
from apps.inspection.pages import InspectionPage
from apps.memory import queries as memory_queries

CONVERSATIONS_PER_PAGE = 40


class ConversationFilter(AgentFilter):
    """The filters of conversations."""

    text = ComposedText(required=False, label="Contains", max_length=200)
    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class ConversationsPage(InspectionPage):
    """The conversations of a simulation, the latest first."""

    template = "inspection/conversations.html"
    title = "Conversations"
    tab = "conversations"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List them."""
        context = self.context
        filters = ConversationFilter(request.GET, names=self.names)
        values = filters.cleaned_data if filters.is_valid() else {}
        rows = history.list_conversations(
            context.id,
            as_of_tick=context.as_of_tick,
            agents=[values["agent"]] if values.get("agent") else (),
            search=values.get("text") or None,
        )
        number = values.get("page") or 1
        first = (number - 1) * CONVERSATIONS_PER_PAGE
        ordered = rows.order_by("-from_tick", "agent")
        page: list[Any]
        page, next_query = self.page_of(
            ordered[first:], CONVERSATIONS_PER_PAGE, page=lambda _: number + 1
        )
        members = history.members_of(
            context.id, [row.conversation for row in page], as_of_tick=context.as_of_tick
        )
        for row in page:
            row.members = members[row.conversation]
        return self.render(
            filters=filters,
            conversations=page,
            next_query=next_query,
        )


class ConversationPage(InspectionPage):
    """A conversation with its utterances, and what was remembered and agreed to."""

    template = "inspection/conversation.html"
    title = "Conversation"
    tab = "conversations"

    def get(
        self, request: HttpRequest, *, tick: int, opener: str, **_names: Any
    ) -> HttpResponse:
        """Show it."""
        context, conversation = self.context, f"{tick}/{opener}"
        as_of_tick = context.as_of_tick
        row = history.get_conversation(context.id, conversation, as_of_tick=as_of_tick)
        utterances = history.list_utterances(
            context.id, as_of_tick=as_of_tick, conversation=conversation
        )
        actions = agent_queries.actions_between(
            context.id, row.agent, from_tick=row.from_tick, to_tick=row.from_tick
        )
        sides = history.participants_of(context.id, conversation, as_of_tick=as_of_tick)
        return self.render(
            conversation=row,
            place=actions[-1].area if actions else "",
            utterances=list(utterances.order_by("tick", "agent")),
            sides=[self._side(side) for side in sides],
            commitments=history.commitments_of(context.id, conversation, as_of_tick=as_of_tick),
        )

    def _side(self, side: Any) -> dict[str, Any]:
        """Return the part of an agent with the memories formed at its end."""
        context = self.context
        is_over = side.to_tick is not None and side.to_tick <= context.as_of_tick
        formed = (
            memory_queries.memories_formed_in(
                context.id, side.agent, tick=side.to_tick, subject=side.other
            )
            if is_over
            else []
        )
        return {
            "row": side,
            "is_over": is_over,
            "memories": [one for one in formed if one.kind != MemoryKind.OBSERVATION],
        }
