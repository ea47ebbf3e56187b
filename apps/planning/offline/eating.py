"""Meals at home, out and at work (stand-in, not a language model)."""

from apps.planning.offline.vocabulary import activity, hour

BREAKFAST = activity(
    "breakfast",
    r"breakfast",
    hour(
        "make and eat breakfast",
        "making breakfast at the stove 15; eating breakfast 15; washing up the dishes 5",
        ordered=True,
    ),
)
MEAL_OUT = activity(
    "meal out",
    r"(?:lunch|dinner|breakfast|meal|eat|dine)\b.*\b(?:cafe|pub|bar|restaurant|canteen)\b",
    hour(
        "have a meal and watch the people come and go",
        "reading the menu in the customer seating 10; ordering a meal at the counter 5; "
        "finding a seat and waiting for the meal 5; eating the meal 15; "
        "drinking a cup of coffee 10; leafing through the newspaper 10; "
        "finishing the drink and looking around 10",
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
            "taking what there is out of the refrigerator 5; cooking a quick lunch at the "
            "stove 15; eating lunch 15; washing up at the sink 5; resting a while after lunch "
            "10; checking messages 10"
        ),
        ordered=True,
    ),
    hour(
        "make a salad and have it for lunch",
        (
            "taking vegetables out of the refrigerator 5; cutting up a salad for lunch 10; "
            "eating the salad for lunch 15; eating some fruit 5; rinsing the plates at the "
            "sink 5; reading the newspaper after lunch 15"
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
        "washing the hands at the sink 5; laying the places for {thing} 5; "
        "waiting until all sit down 5; eating {thing} together 15; telling how the day was 15; "
        "clearing away the plates 5; drinking a glass of water 5",
        ordered=True,
    ),
    things="dinner, lunch",
)
COOKED_MEAL = activity(
    "meal for others",
    r"\bcooks? (?:dinner|lunch) for\b",
    hour(
        "cook {thing} for everybody",
        "looking through the refrigerator for {thing} 5; chopping vegetables 5; "
        "cooking {thing} at the stove 15; eating {thing} together 15; "
        "asking how the day was 10; washing up at the sink 10",
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
        "taking bread and cheese out of the refrigerator for dinner 5; slicing tomatoes 5; "
        "eating bread and cheese for dinner 15; reading the newspaper over dinner 10; "
        "eating an apple 5; rinsing the plates at the sink 5; tidying up after dinner 10",
        ordered=True,
    ),
    hour(
        "make a soup and have it for dinner",
        "washing vegetables at the sink 5; boiling a soup for dinner at the stove 15; "
        "eating the soup for dinner 15; eating a second plate of soup 10; "
        "washing up the pot at the sink 10; putting the rest into the refrigerator 5",
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
# What says where or with whom comes before what only names the meal.
EATING = (
    LINGERING,
    AFTER_MEAL,
    MEAL_AT_WORK,
    MEAL_OUT,
    PACKED_LUNCH,
    SHARED_MEAL,
    COOKED_MEAL,
    BREAKFAST,
    LUNCH,
    DINNER,
)
