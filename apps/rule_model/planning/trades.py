"""Activities of those who keep a place or teach (stand-in, not a language model)."""

from apps.rule_model.planning.vocabulary import activity, first, hour, last

CAFE = activity(
    "keeping a cafe",
    r"\b(?:customers|guests|counter|serve|open|keep|run)\b.*\b(?:cafe|coffee)",
    first(
        "open up and get everything ready",
        "unlocking the door and switching on the lights 5; turning on the coffee machine 5; "
        "wiping the tables 10; putting fresh pastries into the oven of the stove 10; "
        "setting out cups on the counter 5; writing the specials of the day on a board 5; "
        "filling the refrigerator with milk 5; straightening the chairs 5; "
        "tasting the first coffee of the day 10",
    ),
    hour(
        "serve customers and make coffee",
        "greeting customers behind the counter 10; making espresso for a customer 10; "
        "warming croissants for a table 10; taking orders behind the counter 10; "
        "wiping the tables 5; steaming milk at the coffee machine 5; "
        "chatting with customers behind the counter 10; washing cups at the sink 5",
    ),
    hour(
        "serve customers and bake fresh pastries",
        (
            "kneading dough at the stove 15; baking pastries 15; serving a customer behind "
            "the counter 10; brewing coffee for a table 10; setting out fresh pastries on the "
            "counter 5; wiping the counter 5"
        ),
    ),
    hour(
        "look after the tables and keep the coffee coming",
        (
            "carrying cups to a table 5; clearing a table 10; asking guests how they like "
            "their coffee 10; brewing a fresh pot of coffee 10; washing cups at the sink 10; "
            "taking orders behind the counter 10; counting the change in the till behind the "
            "counter 5"
        ),
    ),
    hour(
        "serve customers and check the supplies",
        "checking the milk in the refrigerator 5; noting what has to be bought 10; "
        "serving a customer behind the counter 10; cleaning the coffee machine 10; "
        "making espresso for a customer 10; restocking the counter 10; "
        "talking with a guest behind the counter 10",
    ),
    last(
        "serve the last customers and close up",
        "serving the last customers behind the counter 10; clearing the tables 10; "
        "cleaning the coffee machine 10; washing the last cups at the sink 10; "
        "counting the till behind the counter 10; sweeping the floor 10; "
        "switching off the lights and locking the door 5",
    ),
)
BAKERY = activity(
    "keeping a bakery",
    r"\bbakery\b|\bbaker\b|\bbakes? (?:bread|rolls|cakes)",
    first(
        "light the oven and bake the first bread",
        "lighting the oven 5; kneading dough at the counter 15; shaping rolls at the counter "
        "10; baking rolls in the oven 15; wiping the counter 5; sweeping the floor 5; "
        "setting out warm rolls on the counter 5",
    ),
    hour(
        "bake bread and serve customers",
        "kneading dough at the counter 15; baking bread in the oven 15; "
        "serving a customer behind the counter 10; weighing out flour 5; "
        "setting out bread on the counter 5; chatting with a customer behind the counter 10",
    ),
    hour(
        "bake cakes and serve customers",
        "stirring batter at the counter 10; baking a cake in the oven 15; "
        "icing a cake at the counter 10; serving a customer behind the counter 10; "
        "wrapping up a cake at the counter 5; counting the till behind the counter 5",
    ),
    last(
        "sell the last bread and clean the oven",
        "serving the last customers behind the counter 15; cleaning the oven 15; "
        "wiping the counter 10; sweeping the floor 10; "
        "counting the till behind the counter 10; locking the door 5",
    ),
)
BAR = activity(
    "keeping a bar",
    r"\b(?:customers|guests|counter|serve|open|keep|run|tend)\b.*\b(?:pub|bar|tavern|crown)\b",
    first(
        "open up and get the bar ready",
        (
            "unlocking the door and switching on the lights 5; polishing glasses behind the "
            "bar counter 10; filling the refrigerator with bottles 10; slicing lemons and "
            "limes 5; wiping the bar counter 5; checking the microphone 5; setting up the "
            "stools 5; writing tonight's cocktails on a board 10"
        ),
    ),
    hour(
        "pour drinks and talk with the guests",
        (
            "pouring a beer behind the bar counter 10; mixing a cocktail behind the bar "
            "counter 10; listening to a guest behind the bar counter 15; washing glasses at "
            "the sink 10; wiping the bar counter 5; carrying drinks to a table 10"
        ),
    ),
    hour(
        "cook for hungry guests and keep the glasses full",
        "frying chips at the stove 15; taking an order behind the bar counter 5; "
        "pouring a beer behind the bar counter 10; clearing a table 10; "
        "mixing a cocktail behind the bar counter 10; washing glasses at the sink 10",
    ),
    hour(
        "try out a new cocktail between orders",
        "measuring out a new cocktail behind the bar counter 15; tasting the new cocktail 5; "
        "noting down the recipe 10; pouring a beer behind the bar counter 10; "
        "asking a guest to taste the new cocktail 10; polishing glasses 10",
    ),
    last(
        "call last orders and close up",
        (
            "calling last orders 5; pouring the last beer behind the bar counter 10; "
            "collecting glasses from the tables 10; washing glasses at the sink 15; counting "
            "the till behind the bar counter 10; sweeping the floor 10; locking the door 5"
        ),
    ),
)
MIXOLOGY = activity(
    "inventing drinks",
    r"cocktail|mixology",
    hour(
        "try out a recipe",
        "reading a recipe at the desk 10; squeezing lemons 5; measuring out a drink 10; "
        "tasting the drink 5; writing down the recipe at the desk 10; "
        "mixing the drink once more 10; rinsing the shaker 5",
    ),
    hour(
        "think up a new drink",
        "leafing through a book on mixology at the desk 15; smelling herbs 5; "
        "boiling a syrup at the stove 15; giving the drink a name 5; "
        "sketching how it is served at the desk 10; taking ice out of the refrigerator 5",
    ),
)
PHARMACY = activity(
    "keeping a pharmacy",
    r"pharmacy counter|pharmacist|medic(?:ine|ation)s? (?:to|for)|look after the pharmacy",
    first(
        "open the pharmacy counter",
        (
            "switching on the lights behind the pharmacy counter 5; checking today's "
            "prescriptions 10; putting medicine on the pharmacy shelves 15; wiping the "
            "pharmacy counter 5; counting the till behind the pharmacy counter 10; reading "
            "the notice on a recall 10"
        ),
    ),
    hour(
        "fill prescriptions and advise customers",
        "filling a prescription behind the pharmacy counter 10; "
        "explaining a medicine to a customer behind the pharmacy counter 15; "
        "looking for a box on the pharmacy shelves 5; weighing out a powder 10; "
        "ringing up a customer behind the pharmacy counter 5; noting what is running low 10",
    ),
    hour(
        "take stock and order medicine",
        (
            "counting boxes on the pharmacy shelves 15; writing an order behind the pharmacy "
            "counter 15; unpacking a delivery 15; helping a customer behind the pharmacy "
            "counter 10; reading about a new medication 10"
        ),
    ),
    last(
        "serve the last customers and close the pharmacy counter",
        "filling the last prescriptions behind the pharmacy counter 15; "
        "locking the medicine away on the pharmacy shelves 10; "
        "counting the till behind the pharmacy counter 10; wiping the pharmacy counter 10; "
        "sweeping the floor 10; switching off the lights 5",
    ),
)
SHOP = activity(
    "keeping a shop",
    (
        r"\b(?:customers|counter|serve|open|keep|run|mind)\b.*\b(?:store|shop|market|grocer\w*|"
        r"supplies)"
    ),
    first(
        "open up and get the shelves ready",
        (
            "unlocking the door and switching on the lights 5; counting the till behind the "
            "counter 10; restocking the shelves 15; putting out the price tags 10; sweeping "
            "the floor 10; wiping the counter 5"
        ),
    ),
    hour(
        "serve customers behind the counter",
        (
            "greeting a customer behind the counter 5; ringing up a customer behind the "
            "counter 10; showing a customer around the shelves 10; packing bags behind the "
            "counter 10; answering a question about prices 10; straightening the shelves 10"
        ),
    ),
    hour(
        "restock the shelves and serve customers",
        (
            "unpacking a delivery 15; restocking the shelves 15; ringing up a customer behind "
            "the counter 10; noting what is running low 10; sweeping between the shelves 10"
        ),
    ),
    hour(
        "go over the books between customers",
        (
            "adding up figures behind the counter 15; writing an order behind the counter 15; "
            "serving a customer behind the counter 10; calling a supplier 10; dusting the "
            "shelves 10"
        ),
    ),
    last(
        "serve the last customers and lock the shop",
        "serving the last customers behind the counter 15; tidying the shelves 10; "
        "counting the till behind the counter 10; sweeping the floor 10; "
        "carrying boxes to the back 10; locking the door 5",
    ),
)
TEACHING = activity(
    "teaching",
    r"\bteach|lecture to|hold (?:a )?class|professor",
    first(
        "open the lesson and give a lecture",
        (
            "greeting the students at the podium 5; writing the question of the day on the "
            "blackboard 10; giving a lecture at the podium 15; going through an example on "
            "the blackboard 15; answering questions at the podium 15"
        ),
    ),
    hour(
        "lead a discussion",
        "putting a question to the students at the podium 10; listening to the students 10; "
        "noting arguments on the blackboard 10; summing up at the podium 10; "
        "handing out a text 5; reading a passage aloud at the podium 10",
    ),
    hour(
        "give a seminar on the reading",
        "asking about the reading at the podium 10; explaining a difficult passage 15; "
        "drawing a diagram on the blackboard 10; listening to a student's presentation 15; "
        "commenting on the presentation 10",
    ),
    last(
        "finish the lesson and see students",
        "summing up at the podium 10; setting the next assignment on the blackboard 10; "
        "answering questions after class 15; wiping the blackboard 5; "
        "collecting papers at the podium 10; noting how the lesson went 10",
    ),
)
TRADES = (BAKERY, CAFE, BAR, MIXOLOGY, PHARMACY, SHOP, TEACHING)
