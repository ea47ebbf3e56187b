"""Activities of whoever stands for an office (stand-in, not a language model)."""

import re

from apps.rule_model.planning.vocabulary import activity, hour

CAMPAIGN = "work on the campaign"
CANVASSING = "talk with people about the campaign"
RUNS_FOR = re.compile(
    r"^(?:run|stand|be a candidate) for (?P<office>.+?)(?= (?:in|at|on|next|this)\b|,|\.|$)"
)
MEETING_VOTERS = activity(
    "meeting voters",
    rf"\b{CANVASSING}\b",
    hour(
        CANVASSING,
        "greeting people along the path 10; asking people on a bench what the town needs 15; "
        "explaining the plans for the town on a bench 15; handing out leaflets 10; "
        "writing down what people have said 10",
    ),
)
CAMPAIGNING = activity(
    "campaign work",
    r"\bcampaign\b|\b(?:run|stand)(?:ning|ing)? for (?:mayor|office|council|president)\b",
    hour(
        CAMPAIGN,
        "making a list of what the town needs 15; writing a speech for the campaign at the "
        "desk 15; reading the speech aloud 5; drafting a leaflet at the desk 10; "
        "thinking of whom to ask for support 5; reading about the election 10",
    ),
)
CAMPAIGNS = (MEETING_VOTERS, CAMPAIGNING)
