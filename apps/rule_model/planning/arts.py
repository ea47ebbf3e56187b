"""Activities of artists and players (stand-in, not a language model)."""

from apps.rule_model.planning.vocabulary import activity, first, hour, last

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
    hour(
        "work on the light and the shadows",
        (
            "looking at the picture from the door 5; mixing a darker color 10; painting the "
            "shadows at the easel 15; painting the light at the easel 15; wiping away a "
            "stroke at the easel 5; turning the picture upside down to look 5"
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
ANIMATION = activity(
    "animation",
    r"animat|digital art|illustrat|design|\bdraws? (?:her|his|a|the) comic",
    first(
        "look over the last scene and plan the next",
        "playing the last scene 5; noting what the client asked for 10; "
        "sketching the next scene at the desk 15; choosing colors at the desk 10; "
        "drawing the first frame at the desk 15",
    ),
    hour(
        "draw frame after frame",
        "drawing a frame at the desk 15; coloring the frame at the desk 15; "
        "playing the frames one after another 5; mending a movement that jerks 10; "
        "drawing the next frame at the desk 15",
    ),
    hour(
        "draw a background and its details",
        "sketching a street at the desk 15; drawing houses at the desk 15; "
        "coloring the sky at the desk 10; comparing two versions at the desk 10; "
        "saving the best version 5",
    ),
    last(
        "go through the scene once more",
        "playing the whole scene 5; smoothing a line at the desk 15; "
        "redrawing a hand at the desk 15; writing to the client 10; putting the pens away 5",
    ),
)
ART_TOOLS = activity(
    "trying out tools",
    r"interactive art|tools? for",
    hour(
        "try out a new tool",
        "reading about a new tool at the desk 10; trying the tool at the desk 15; "
        "saving the best attempt 5; letting a shape follow the hand 10; "
        "laughing at a strange result 5; noting what the tool is good for 10",
    ),
    hour(
        "build something that answers to touch",
        "connecting a sensor at the desk 10; writing a few lines of code at the desk 15; "
        "touching the screen to see what happens 10; changing the colors at the desk 10; "
        "showing it to the mirror 5",
    ),
)
PHOTOGRAPHING = activity(
    "photographing",
    r"\b(?:take|takes|taking) (?:some )?photo|\bphotographs? (?:in|at) ",
    hour(
        "take photographs",
        "looking for the right light along the path 10; photographing the trees 15; "
        "changing the lens on a bench 5; photographing the pond 10; "
        "photographing details in the garden 15; looking at the results on a bench 10",
    ),
)
PHOTO_EDITING = activity(
    "editing photographs",
    r"photo|\bprints?\b",
    hour(
        "sort and edit photographs",
        "choosing photographs at the desk 15; cropping a photograph at the desk 10; "
        "adjusting the light of a photograph at the desk 15; comparing two prints 10; "
        "writing captions at the desk 10",
    ),
    hour(
        "put a series in order",
        "laying prints side by side at the desk 15; changing the order at the desk 10; "
        "leaving out a photograph 5; writing about a journey at the desk 15; "
        "looking at the series from the beginning 10",
    ),
)
COMPOSING = activity(
    "composing",
    r"compos|music|song|melod|hip hop",
    hour(
        "work on the composition",
        "trying a melody at the piano 15; writing down notes at the desk 15; "
        "listening to the last bars again 10; changing the harmony at the piano 10; "
        "tapping a rhythm 5; humming the theme 5",
    ),
    hour(
        "write a second voice",
        "playing the first voice at the piano 10; singing a second voice 10; "
        "writing down the second voice at the desk 15; striking out two bars 5; "
        "playing both voices at the piano 15; nodding to the beat 5",
    ),
    hour(
        "find an ending",
        "playing the last bars at the piano 10; trying three endings at the piano 15; "
        "listening to a record for ideas 10; writing down the ending at the desk 15; "
        "playing the whole piece at the piano 10",
    ),
)
COMEDY = activity(
    "writing comedy",
    r"\bjokes?\b|\bsketch(?:es)? for\b|script",
    hour(
        "think up jokes",
        "watching people for ideas 10; writing down a joke at the desk 10; "
        "laughing at a line 5; crossing out a weak joke at the desk 5; "
        "telling a joke under the breath 5; writing a scene at the desk 15",
    ),
    hour(
        "write dialogue",
        "writing dialogue at the desk 15; reading the dialogue over 10; "
        "changing the ending at the desk 15; giving a character a better name 5; "
        "writing down where the laughter comes 10",
    ),
)
ACTING = activity(
    "acting",
    r"\bact(?:s|ing|or)?\b|comed|improv|web series|rehears",
    hour(
        "rehearse scenes",
        "learning lines 15; speaking a monologue aloud 10; trying a funny walk 5; "
        "rehearsing a scene 15; making faces 5; rehearsing the scene in another mood 10",
    ),
    hour(
        "practise improv",
        "warming up the voice 5; playing two people at once 10; acting out a word 10; "
        "inventing a song on the spot 10; rehearsing an entrance 10; "
        "laughing about a slip of the tongue 5; bowing to nobody 5",
    ),
    hour(
        "play a scene over and over",
        "setting up two chairs 5; playing a quarrel 15; playing the quarrel as a whisper 10; "
        "noting what was funny at the desk 10; playing the making up 15",
    ),
)
FILMING = activity(
    "filming",
    r"\bfilm(?:s|ing)?\b|\bepisode",
    hour(
        "film a scene",
        "setting up the camera 5; filming a short take 10; filming the take again 10; "
        "looking at the takes at the desk 10; moving the lamp 5; filming a close-up 10; "
        "trying the scene without words 10",
    ),
    hour(
        "cut the episode",
        "choosing takes at the desk 15; cutting a scene at the desk 15; "
        "laughing at a slip of the tongue 5; adding music at the desk 10; "
        "watching the episode so far 10",
    ),
)
ARTS = (
    STREAMING,
    COMEDY,
    FILMING,
    ACTING,
    ART_TOOLS,
    ANIMATION,
    PHOTOGRAPHING,
    PHOTO_EDITING,
    PAINTING,
    COMPOSING,
)
