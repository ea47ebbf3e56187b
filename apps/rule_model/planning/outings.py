"""Activities of people out and about (stand-in, not a language model)."""

from apps.rule_model.planning.vocabulary import activity, hour

RUNNING = activity(
    "running",
    r"\bruns?\b (?!for)|running (?!for)|\bjog",
    hour(
        "run",
        "warming up on the path 10; running at a steady pace along the path 15; "
        "running a sprint along the path 5; catching breath on a bench 5; "
        "running another round along the path 15; stretching the legs 10; "
        "cooling down along the path 5",
        ordered=True,
    ),
)
WORKOUT = activity(
    "exercise",
    r"exercis|\btrain|weights|work out|workout|competition",
    hour(
        "exercise",
        "warming up 5; doing push-ups 10; lifting weights 10; stretching 10; doing sit-ups 10; "
        "lifting weights again 10; cooling down and drinking water 5",
        ordered=True,
    ),
    hour(
        "train strength and balance",
        "jumping rope 10; doing squats 10; standing on one leg 5; lifting weights 15; "
        "writing down the day's training 5; stretching 10; drinking some water 5",
    ),
)
GARDENING = activity(
    "gardening",
    r"garden|tend the park|weed",
    hour(
        "tend the plants",
        "weeding the garden bed 15; watering the garden 10; pruning a bush in the garden 10; "
        "raking leaves in the garden 10; resting on a bench 10; "
        "planting bulbs in the garden 15",
    ),
    hour(
        "look after the beds",
        "loosening the soil of the garden bed 15; sowing seeds in the garden bed 10; "
        "watering the garden bed 10; picking up fallen twigs in the garden 10; "
        "looking at the buds in the garden 5",
    ),
)
GARDEN_WALK = activity(
    "walk in the garden",
    r"walks? in the garden",
    hour(
        "walk up and down in the garden",
        "walking around the garden bed 10; humming a few bars in the garden 10; "
        "sitting on the bench in the garden 10; walking up and down in the garden 10; "
        "listening to the birds in the garden 5",
        ordered=True,
    ),
)
WALK = activity(
    "walk",
    r"\bwalk|stroll|fresh air|park\b",
    hour(
        "take a walk",
        "walking along the path 15; sitting on a bench in the sun 10; "
        "watching the ducks on the pond 10; walking through the garden 10; "
        "looking at the trees along the path 5; thinking things over on a bench 10",
        ordered=True,
    ),
)
MEDICINE = activity(
    "buying medicine",
    r"\b(?:buy|get|fetch|pick up)\w*\b.*\b(?:medicines?|medications?|pills|prescriptions?)\b",
    hour(
        "buy medicine",
        "looking along the shelves for a cough syrup 10; "
        "comparing two boxes on the shelves 10; asking for help at the counter 5; "
        "waiting at the counter 5; "
        "hearing how often to take it at the counter 5; paying at the counter 5",
        ordered=True,
    ),
)
GROCERIES = activity(
    "buying groceries",
    r"groceries|\bbuys? (?:food|vegetables|bread)|\berrands?\b|go shopping",
    hour(
        "buy groceries",
        "choosing vegetables from the shelves 10; comparing prices on the shelves 10; "
        "choosing bread from the shelves 5; paying at the counter 5; packing the bags 5; "
        "looking along the shelves for what was forgotten 10",
        ordered=True,
    ),
)
SUPPLIES = activity(
    "buying supplies",
    r"\bbuys?\b|\bsupplies\b|shopping",
    hour(
        "buy supplies",
        "looking along the shelves 10; comparing two brands on the shelves 10; "
        "asking for advice at the counter 5; choosing what is needed from the shelves 10; "
        "paying at the counter 5; packing everything up 5",
        ordered=True,
    ),
)
PUB_EVENING = activity(
    "evening at the pub",
    r"\b(?:pub|crown|bar|tavern)\b",
    hour(
        "have a drink and hear what is new",
        "greeting everybody in the customer seating 10; ordering a drink at the bar counter 5; "
        "drinking a beer in the customer seating 15; "
        "talking about the day in the customer seating 15; listening to the others 10; "
        "ordering another drink at the bar counter 5; laughing over a story 10",
        ordered=True,
    ),
)
CAFE_VISIT = activity(
    "cafe visit",
    r"\bcafe\b|coffee",
    hour(
        "sit over a coffee",
        "looking at the cakes 10; ordering a coffee at the counter 5; "
        "drinking coffee in the customer seating 15; "
        "reading the newspaper in the customer seating 15; watching people pass by 10; "
        "writing down a thought 5; eating a piece of cake in the customer seating 10",
        ordered=True,
    ),
)
EXERCISES = (RUNNING, WORKOUT)
SHOPPING = (MEDICINE, GROCERIES, SUPPLIES)
OUTINGS = (*EXERCISES, GARDEN_WALK, GARDENING, WALK, PUB_EVENING, CAFE_VISIT)
