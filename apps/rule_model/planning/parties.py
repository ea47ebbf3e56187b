"""Activities around parties (stand-in, not a language model)."""

from apps.rule_model.planning.vocabulary import activity, first, hour

PARTY_PLANS = activity(
    "planning a party",
    r"(?:plan|prepar|organi|gather|invit)\w*\b.*\b(?:party|celebration)",
    hour(
        "go over the plans for {thing}",
        "writing a list of what {thing} needs 15; thinking of whom to invite 10; "
        "sketching decorations at the desk 10; writing invitations at the desk 15; "
        "adding up what {thing} will cost 5; choosing music for {thing} 10",
    ),
    hour(
        "make decorations for {thing}",
        (
            "cutting out paper hearts at the desk 15; tying ribbons 10; painting a banner at "
            "the desk 15; trying where the banner looks best 5; putting decorations into a "
            "box on the shelf 5; writing name cards at the desk 10"
        ),
    ),
    things="Valentine's Day party, birthday party, party, celebration",
)
INVITING = activity(
    "the day before a party",
    r"decorate .* and invite",
    hour(
        "decorate and invite guests to {thing}",
        "hanging up the first decorations for {thing} 15; "
        "asking a guest in the customer seating to come to {thing} 10; "
        "tying ribbons to the customer seating 10; "
        "telling a guest at the counter about {thing} 10; "
        "writing down who will come to {thing} 5; choosing the music at the piano 10; "
        "serving a customer behind the counter 10",
    ),
    things="Valentine's Day party, birthday party, party, celebration",
)
DECORATING = activity(
    "decorating",
    r"decorate",
    hour(
        "decorate for {thing}",
        "hanging up the decorations for {thing} 15; tying ribbons to the customer seating 10; "
        "setting out cups for {thing} 5; baking cakes for {thing} 15; "
        "choosing the music at the piano 5; looking whether all is ready for {thing} 10",
        ordered=True,
    ),
    things="Valentine's Day party, birthday party, party, celebration",
)
HOSTING = activity(
    "hosting a party",
    r"\bhost\b",
    first(
        "welcome the guests of {thing}",
        "welcoming guests at the door 15; pouring drinks behind the counter 10; "
        "taking coats 5; introducing guests to one another 10; bringing out the first cake 10; "
        "starting the music 5; showing everybody where the drinks are 5",
    ),
    hour(
        "look after the guests of {thing}",
        "talking with guests in the customer seating 15; pouring drinks behind the counter 10; "
        "cutting the cake behind the counter 10; playing a song at the piano 10; "
        "dancing with a guest 5; laughing with friends in the customer seating 10",
    ),
    things="Valentine's Day party, birthday party, party, celebration",
)
PARTY = activity(
    "at a party",
    r"\b(?:party|celebration|reception)\b",
    first(
        "join the party",
        (
            "looking around at the decorations 5; greeting everybody 15; taking a drink from "
            "the counter 5; talking in the customer seating 15; laughing at a joke 10"
        ),
    ),
    hour(
        "enjoy the party",
        (
            "talking in the customer seating 15; fetching something to eat from the counter "
            "5; listening to the piano 10; dancing a little 10; telling a story 10; drinking "
            "to friendship 5"
        ),
    ),
)
PARTIES = (INVITING, DECORATING, HOSTING, PARTY_PLANS, PARTY)
