"""Fields and filters of the pages that list what several agents did."""

from typing import Any, ClassVar

from django import forms

from apps.kernel.text import compose


class ComposedText(forms.CharField):
    """A text in composed letters: "Café" is found whichever way its é was typed."""

    def to_python(self, value: Any) -> Any:
        """Return the text."""
        return compose(super().to_python(value))


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
