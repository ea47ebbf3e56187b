"""Meals at home, out and at work (stand-in, not a language model)."""

from apps.rule_model.planning.vocabulary import activity, hour

BREAKFAST = activity(
    "breakfast",
    r"breakfast",
    hour(
        "make and eat breakfast",
        "taking eggs and milk out of the refrigerator 5; making breakfast at the stove 15; "
        "eating breakfast 15; eating some fruit 5; washing up the dishes 5",
        ordered=True,
    ),
)
MEAL_OUT = activity(
    "meal out",
    (
        r"(?:lunch|dinner|breakfast|meal|eat|dine)\b.*\b(?:cafe|pub|bar|restaurant|canteen|"
        r"bakery|inn|tavern|bistro|diner)\b"
    ),
    hour(
        "have a meal and watch the people come and go",
        "reading the menu in the customer seating 10; ordering a meal at the counter 5; "
        "finding a seat and waiting for the meal 10; eating the meal 15; "
        "drinking a cup of coffee 5; leafing through the newspaper 10; "
        "finishing the drink and looking around 5",
        ordered=True,
    ),
    things="lunch, dinner, breakfast, meal",
)
MEAL_AT_WORK = activity(
    "meal at work",
    r"(?:lunch|dinner|bite|meal)\b.*\b(?:counter|at work|between)",
    hour(
        "eat a bite behind the counter between two customers",
        "unpacking a sandwich behind the counter 5; eating behind the counter 15; "
        "serving a customer behind the counter 10; drinking a glass of water 5; "
        "finishing the meal and wiping the counter 10; greeting a customer 5; "
        "chatting with whoever is at the counter 10",
        ordered=True,
    ),
)
PACKED_LUNCH = activity(
    "packed lunch",
    r"(?:lunch|dinner|meal|bite)\b.*\b(?:college|school|library|hallway|office|park)\b",
    hour(
        "eat what was brought along",
        "sitting down on a bench 5; eating a sandwich on a bench 15; drinking some tea 5; "
        "eating an apple on a bench 5; watching people walk by from a bench 10; "
        "leafing through the notes for later 10",
        ordered=True,
    ),
)
LUNCH = activity(
    "lunch",
    r"\blunch\b",
    hour(
        "make and eat lunch",
        (
            "washing the hands at the sink 5; taking what there is out of the refrigerator 5; "
            "cooking a quick lunch at the stove 15; eating lunch 15; washing up at the sink "
            "10; resting a while after lunch 10"
        ),
        ordered=True,
    ),
    hour(
        "make a salad and have it for lunch",
        (
            "washing the hands at the sink 5; taking vegetables out of the refrigerator 5; "
            "cutting up a salad for lunch 15; eating the salad for lunch 15; eating some "
            "fruit 5; rinsing the plates at the sink 5; reading the newspaper after lunch 10"
        ),
        ordered=True,
    ),
    by_turns=True,
)
SHARED_MEAL = activity(
    "meal that another cooks",
    r"\b(?:dinner|lunch) with (?:his|her|the|their)\b",
    hour(
        "have {thing} together",
        "washing the hands at the sink 5; laying the places for {thing} 10; "
        "waiting until all sit down 10; eating {thing} together 15; "
        "telling how the day was 10; clearing away the plates 5; drinking a glass of water 5",
        ordered=True,
    ),
    things="dinner, lunch",
)
COOKED_MEAL = activity(
    "meal for others",
    r"\bcooks? (?:dinner|lunch) for\b",
    hour(
        "cook {thing} for everybody",
        "looking through the refrigerator for {thing} 5; chopping vegetables 10; "
        "cooking {thing} at the stove 15; eating {thing} together 15; "
        "asking how the day was 5; washing up at the sink 10",
        ordered=True,
    ),
    things="dinner, lunch",
)
DINNER = activity(
    "dinner",
    r"\b(?:dinner|supper|evening meal)\b",
    hour(
        "cook and eat dinner",
        "looking through the refrigerator for dinner 5; chopping vegetables 10; "
        "cooking dinner at the stove 15; eating dinner 15; washing up at the sink 10; "
        "wiping the stove 5",
        ordered=True,
    ),
    hour(
        "have bread and cheese for dinner",
        "washing the hands at the sink 5; slicing tomatoes 10; "
        "taking bread and cheese out of the refrigerator for dinner 5; cutting the bread 5; "
        "eating bread and cheese for dinner 15; reading the newspaper over dinner 10; "
        "eating an apple 5; rinsing the plates at the sink 5",
        ordered=True,
    ),
    hour(
        "make a soup and have it for dinner",
        "washing vegetables at the sink 5; cutting an onion 5; "
        "boiling a soup for dinner at the stove 15; eating the soup for dinner 15; "
        "eating a second plate of soup 5; washing up the pot at the sink 10; "
        "putting the rest into the refrigerator 5",
        ordered=True,
    ),
    by_turns=True,
)
LINGERING = activity(
    "lingering after a meal out",
    r"\blinger",
    hour(
        "linger over a cup and watch the others",
        "finishing the cup in the customer seating 10; watching the others 10; "
        "reading the newspaper in the customer seating 15; looking at the clock 5; "
        "talking with the next table in the customer seating 10; writing down a thought 5",
    ),
)
AFTER_MEAL = activity(
    "after a meal",
    r"rest a while after",
    hour(
        "rest a while after the meal",
        "resting with closed eyes 10; answering messages 10; leafing through a magazine 10; "
        "drinking a cup of tea 5; looking at what the rest of the day brings 10; "
        "airing the rooms 5",
    ),
    hour(
        "put the kitchen in order",
        "drying the plates at the sink 10; shaking out the tablecloth 5; "
        "writing down what has to be bought 10; taking out the rubbish 5; "
        "putting the chairs straight 5; sitting down again 10",
    ),
    hour(
        "pass an easy hour",
        "solving a crossword 15; looking at old photographs 10; telephoning with a friend 15; "
        "watering the plants on the shelf 5; looking out of the window 5",
    ),
)
# A meal that begins late in an hour is got ready in it and eaten in the next.
MEALS = "breakfast, lunch, dinner"
GETTING_READY = activity(
    "getting a meal ready",
    r"\bget (?:breakfast|lunch|dinner) ready",
    hour(
        "get {thing} ready",
        "looking through the refrigerator for {thing} 5; chopping vegetables 10; "
        "cooking {thing} at the stove 15; laying the places for {thing} 5",
        ordered=True,
    ),
    things=MEALS,
)
HELPING = activity(
    "helping with a meal",
    r"\bhelp with (?:breakfast|lunch|dinner)",
    hour(
        "help with {thing}",
        "washing the hands at the sink 5; laying the places for {thing} 10; "
        "cutting bread for {thing} 10; waiting until all sit down 5",
        ordered=True,
    ),
    things=MEALS,
)
ORDERING = activity(
    "ordering a meal",
    r"\border (?:breakfast|lunch|dinner)",
    hour(
        "order {thing}",
        "reading the menu in the customer seating 10; ordering a meal at the counter 5; "
        "finding a seat and waiting for the meal 15",
        ordered=True,
    ),
    things=MEALS,
)
SITTING_TOGETHER = activity(
    "sitting down to a meal with others",
    r"\bsit down to (?:breakfast|lunch|dinner) together",
    hour(
        "sit down to {thing} together",
        "eating {thing} together 15; telling how the day was 15; clearing away the plates 5; "
        "washing up at the sink 10; drinking a glass of water 5; sitting on for a while 10",
        ordered=True,
    ),
    things=MEALS,
)
SITTING_DOWN = activity(
    "sitting down to a meal",
    r"\bsit down to (?:breakfast|lunch|dinner)",
    hour(
        "sit down to {thing}",
        "eating {thing} 15; eating an apple 5; reading the newspaper after {thing} 15; "
        "washing up at the sink 10; wiping the stove 5; sitting on for a while 10",
        ordered=True,
    ),
    things=MEALS,
)
SITTING_OUT = activity(
    "eating out",
    r"\beat (?:breakfast|lunch|dinner) in peace",
    hour(
        "eat {thing} in peace",
        "eating the meal 15; drinking a cup of coffee 10; leafing through the newspaper 15; "
        "watching the others 10; finishing the drink and looking around 10",
        ordered=True,
    ),
    things=MEALS,
)
READIED = (GETTING_READY, HELPING, ORDERING)
# A meal in two: what is done in the first hour, and what in the second.
HALVES = {
    MEAL_OUT: ("order {}", "eat {} in peace"),
    SHARED_MEAL: ("help with {}", "sit down to {} together"),
    COOKED_MEAL: ("get {} ready", "sit down to {} together"),
    BREAKFAST: ("get {} ready", "sit down to {}"),
    LUNCH: ("get {} ready", "sit down to {}"),
    DINNER: ("get {} ready", "sit down to {}"),
}
EATEN = (LINGERING, AFTER_MEAL, SITTING_OUT, SITTING_TOGETHER, SITTING_DOWN)
# What says where or with whom comes before what only names the meal.
EATING = (
    *READIED,
    *EATEN,
    MEAL_AT_WORK,
    MEAL_OUT,
    PACKED_LUNCH,
    SHARED_MEAL,
    COOKED_MEAL,
    BREAKFAST,
    LUNCH,
    DINNER,
)
