"""The filter by agent of the pages that list what several agents did."""

from typing import Any, ClassVar

from django import forms


class AgentFilter(forms.Form):
    """Filters of a list; an empty field is no condition.

    `names` are the full names of the agents by slug; `others` are further choices.
    """

    all_label: ClassVar[str] = "all agents"
    others: ClassVar[tuple[tuple[str, str], ...]] = ()

    agent = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, names: dict[str, str], **named: Any) -> None:
        super().__init__(*args, **named)
        agent = self.fields["agent"]
        assert isinstance(agent, forms.ChoiceField)
        agent.choices = [("", self.all_label), *names.items(), *self.others]
