"""Activities of artists, players and people out and about (stand-in, not a language model)."""

from apps.planning.offline.vocabulary import activity, first, hour, last

STREAMING = activity(
    "streaming games",
    r"stream|gam(?:e|es|ing)\b",
    first(
        "set up the stream",
        "starting the game console and computer 5; checking camera and microphone 5; "
        "greeting the viewers of the stream 5; playing a game on the stream 15; "
        "answering the chat at the computer 10; playing the next level on the stream 15",
    ),
    hour(
        "stream a game",
        "playing a game on the stream 15; answering the chat at the computer 10; "
        "laughing about a lost round 5; explaining a trick to the viewers 10; "
        "starting a new round on the stream 15; drinking some water 5",
    ),
    hour(
        "practise a difficult level",
        "playing a difficult level on the game console 15; trying the level again 15; "
        "looking up how others did it on the computer 10; stretching the fingers 5; "
        "beating the level at last 10",
    ),
    last(
        "play a last round and end the stream",
        "playing a last round on the stream 15; thanking the viewers of the stream 5; "
        "reading the comments at the computer 10; cutting a short video at the computer 15; "
        "noting ideas for the next stream 5; switching off the game console 5",
    ),
)
PAINTING = activity(
    "painting",
    r"paint|watercolor|exhibition|solo show|easel|canvas",
    first(
        "lay out the paints and begin a picture",
        (
            "laying out paints and brushes 10; mixing colors 10; sketching on the canvas at "
            "the easel 15; painting the background at the easel 15; stepping back to look 5"
        ),
    ),
    hour(
        "paint",
        (
            "painting at the easel 15; mixing a new color 10; stepping back to look at the "
            "easel 5; painting a detail at the easel 15; rinsing the brushes at the sink 5; "
            "comparing the picture with a sketch 10"
        ),
    ),
    last(
        "finish for the day and clean the brushes",
        (
            "painting the last strokes at the easel 15; looking at the picture from afar 10; "
            "washing the brushes at the sink 10; noting what is still missing 10; putting the "
            "paints away 10"
        ),
    ),
)
DIGITAL_ART = activity(
    "digital art",
    r"animat|digital art|interactive art|illustrat|design",
    hour(
        "draw frames for the animation",
        "drawing a frame at the desk 15; coloring the frame at the desk 15; "
        "playing the frames one after another 5; mending a movement that jerks 10; "
        "trying out a new brush 10",
    ),
    hour(
        "try out new tools",
        "reading about a new tool at the desk 10; trying the tool at the desk 15; "
        "saving the best attempt 5; sketching an idea at the desk 15; writing to the client 10",
    ),
)
PHOTOGRAPHY = activity(
    "photography",
    r"photo",
    hour(
        "sort and edit photographs",
        "choosing photographs at the desk 15; cropping a photograph at the desk 10; "
        "adjusting the light of a photograph at the desk 15; comparing two prints 10; "
        "writing captions at the desk 10",
    ),
    hour(
        "take photographs",
        "looking for the right light 10; photographing a still life 15; changing the lens 5; "
        "photographing details 15; looking at the results 10",
    ),
)
COMPOSING = activity(
    "composing",
    r"compos|music|song|melod|hip hop",
    hour(
        "work on the composition",
        "trying a melody at the piano 15; writing down notes at the desk 15; "
        "listening to the passage again 10; changing the harmony at the piano 10; "
        "tapping a rhythm 5; humming the theme 5",
    ),
)
ACTING = activity(
    "acting",
    r"\bact(?:s|ing|or)?\b|comed|improv|web series|rehears|script",
    hour(
        "rehearse scenes",
        "learning lines 15; speaking a monologue aloud 10; trying a funny walk 5; "
        "rehearsing a scene 15; writing down a joke at the desk 10; filming a short take 10",
    ),
    hour(
        "write the next episode",
        "writing dialogue at the desk 15; reading the dialogue aloud 10; laughing at a line 5; "
        "changing the ending at the desk 15; drawing a storyboard at the desk 15",
    ),
)
EXERCISE = activity(
    "exercise",
    r"exercis|\bruns?\b|running|jog|train|weights|work out|workout|competition",
    hour(
        "exercise",
        "warming up 10; running at a steady pace 15; doing push-ups 10; stretching 10; "
        "running a sprint 5; cooling down and drinking water 10",
        ordered=True,
    ),
)
GARDENING = activity(
    "gardening",
    r"garden|tend the park|weed",
    hour(
        "tend the plants",
        "weeding the garden bed 15; watering the garden 10; pruning a bush in the garden 10; "
        "raking leaves on the path 10; resting on a bench 10; planting bulbs in the garden 15",
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
SHOPPING = activity(
    "shopping",
    r"groceries|shopping|buy |errand|supplies",
    hour(
        "buy what is needed",
        "walking along the shelves 10; comparing prices on the shelves 10; "
        "choosing vegetables from the shelves 10; paying at the counter 5; packing the bags 5; "
        "looking whether anything was forgotten 10",
        ordered=True,
    ),
)
PUB_EVENING = activity(
    "evening at the pub",
    r"\b(?:pub|crown|bar|tavern)\b",
    hour(
        "have a drink and hear what is new",
        "ordering a drink at the bar counter 5; drinking a beer in the customer seating 15; "
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
        "ordering a coffee at the counter 5; drinking coffee in the customer seating 15; "
        "reading the newspaper in the customer seating 15; watching people come and go 10; "
        "writing down a thought 5; eating a piece of cake in the customer seating 10",
        ordered=True,
    ),
)
ARTS = (
    STREAMING,
    PAINTING,
    DIGITAL_ART,
    PHOTOGRAPHY,
    COMPOSING,
    ACTING,
)
OUTINGS = (EXERCISE, GARDENING, SHOPPING, WALK, PUB_EVENING, CAFE_VISIT)
