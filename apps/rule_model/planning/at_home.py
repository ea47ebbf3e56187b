"""Activities at home: mornings, evenings, bedtime (stand-in, not a language model)."""

from apps.rule_model.planning.vocabulary import activity, first, hour, last

WASHING = activity(
    "washing",
    r"wake up, wash and get dressed",
    hour(
        "wake up, wash and get dressed",
        "stretching and making the bed 5; using the toilet 5; taking a shower 10; "
        "brushing teeth 5; getting dressed at the closet 10",
        ordered=True,
    ),
)
MORNING = activity(
    "morning",
    r"morning routine|wake up|get ready for the day",
    hour(
        "wash, get dressed and have breakfast",
        (
            "making the bed 5; taking a shower 10; brushing teeth 5; getting dressed at the "
            "closet 5; making breakfast at the stove 10; eating breakfast 10; washing up the "
            "breakfast dishes 5; looking over the plans for the day 5; packing what the day "
            "needs 5"
        ),
        ordered=True,
    ),
    hour(
        "have breakfast, wash and get dressed",
        (
            "making the bed 5; making breakfast at the stove 10; eating breakfast 15; washing "
            "up the breakfast dishes 5; taking a shower 10; brushing teeth 5; getting dressed "
            "at the closet 5; packing what the day needs 5"
        ),
        ordered=True,
    ),
    first(
        "get up, wash and get dressed",
        (
            "stretching and making the bed 5; using the toilet 5; taking a shower 15; "
            "brushing teeth 5; getting dressed at the closet 10; tidying the room 10; airing "
            "the room and looking out at the weather 5; looking over the plans for the day 5"
        ),
    ),
    first(
        "get up and have breakfast",
        (
            "stretching and making the bed 5; taking eggs and milk out of the refrigerator 5; "
            "cooking breakfast at the stove 10; making a cup of tea 5; eating breakfast 15; "
            "washing up the breakfast dishes 5; checking the news 10"
        ),
    ),
    last(
        "have breakfast and get ready to leave",
        "taking eggs and milk out of the refrigerator 5; cooking breakfast at the stove 10; "
        "making a cup of tea 5; eating breakfast 15; washing up the breakfast dishes 5; "
        "packing what the day needs 5; checking the news 10",
    ),
    last(
        "wash, get dressed and get ready to leave",
        (
            "using the toilet 5; taking a shower 15; brushing teeth 5; getting dressed at the "
            "closet 10; tidying the room 10; looking over the plans for the day 5; packing "
            "what the day needs 5"
        ),
    ),
    by_turns=True,
)
BEDTIME = activity(
    "bedtime",
    r"ready for bed|go to bed|bedtime|read in bed",
    hour(
        "get ready for bed",
        "putting things away for the night 5; taking a shower 10; brushing teeth 5; "
        "changing into nightclothes at the closet 5; reading a few pages in bed 15; "
        "switching off the lights 5",
        ordered=True,
    ),
    hour(
        "read in bed and wash for the night",
        "changing into nightclothes at the closet 5; reading a few pages in bed 15; "
        "brushing teeth 5; putting things away for the night 5; switching off the lights 5",
        ordered=True,
    ),
    by_turns=True,
)
READING = activity(
    "reading",
    r"\bread\b|reading|book in hand",
    hour(
        "read a book",
        "choosing a book from the shelf 5; reading a chapter 15; making a cup of tea 5; "
        "reading further 15; thinking about what was read 5; reading another chapter 15; "
        "keeping a sentence in mind that is worth it 5; leafing back to an earlier page 5",
        ordered=True,
    ),
    hour(
        "go on reading",
        "reading the next chapter 15; looking up from the book for a moment 5; "
        "reading on to a turn of the story 15; wondering how the story will end 5; "
        "reading a passage twice 10; reading further 15",
    ),
)
NEWS = activity(
    "the news",
    r"(?:check|read|follow)\w* the (?:news|newspaper)",
    hour(
        "read the news",
        "reading the newspaper 15; drinking a cup of tea 5; reading about the town 10; "
        "thinking about the news 5; looking at the weather report 5; reading the letters to "
        "the editor 10",
        ordered=True,
    ),
)
PLAYING_MUSIC = activity(
    "playing music",
    r"play the (?:guitar|piano)|\bguitar\b",
    hour(
        "play music",
        "tuning {thing} 5; practising a few chords on {thing} 15; "
        "playing a favorite piece on {thing} 15; trying a difficult bar on {thing} 15; "
        "humming along to a song 5; playing by ear on {thing} 10",
    ),
    hour(
        "learn a new song",
        "looking up a new song 10; playing the new song slowly on {thing} 15; "
        "repeating the change of two chords on {thing} 10; singing to {thing} 10; "
        "playing the new song from beginning to end on {thing} 10; stretching the fingers 5",
    ),
    things="guitar, piano",
)
LISTENING = activity(
    "listening to music",
    r"listen to music",
    hour(
        "listen to music and relax",
        (
            "listening to a record 15; making a cup of tea 5; humming along to a song 5; "
            "looking up a new song 10; dancing a few steps 5; listening to music with closed "
            "eyes 15; putting the records in order 10"
        ),
    ),
)
EVENING = activity(
    "evening at home",
    r"quiet evening|relax|unwind|leisure|free time|rest\b",
    hour(
        "relax with music and a cup of tea",
        "making a cup of tea 10; listening to music 15; looking through the news 10; "
        "sitting and thinking about the day 15; watering the plants on the shelf 5; "
        "thinking of what to put into the diary 10",
    ),
    hour(
        "catch up on messages and telephone with friends",
        "answering messages 15; telephoning with a friend 15; "
        "looking through old photographs 10; drinking a glass of water 5; "
        "telephoning with another friend 10",
    ),
    hour(
        "watch a film and snack on fruit",
        "choosing a film 5; watching a film 15; fetching some fruit from the refrigerator 5; "
        "watching the film go on 15; laughing at a scene 10",
        ordered=True,
    ),
    hour(
        "leaf through magazines and rest",
        "leafing through a magazine 15; resting with closed eyes 15; stretching 5; "
        "putting the shelf in order 10; looking out of the window 10",
    ),
)
LETTERS = activity(
    "letters",
    r"\bletters?\b|correspondence",
    hour(
        "write letters",
        "reading a letter once more 5; writing a letter at the desk 15; "
        "looking for the right words 5; going on with the letter at the desk 15; "
        "folding the letter and writing the address at the desk 5; "
        "looking out of the window 5",
    ),
    hour(
        "answer what has come by mail",
        "sorting the mail at the desk 10; reading a long letter 10; "
        "answering a letter at the desk 15; copying an answer out neatly at the desk 15; "
        "looking for an address 5",
    ),
)
CHORES = activity(
    "chores",
    r"chore|laundry|cleans? the|tidy|housework|household",
    hour(
        "clean the home",
        "sweeping the floor 15; wiping the stove 10; cleaning the sink 10; "
        "dusting the shelf 10; taking out the rubbish 5; folding clothes into the closet 10",
    ),
    hour(
        "do the laundry and put clothes away",
        "sorting the laundry 10; washing clothes at the sink 15; hanging up the wash 10; "
        "ironing a few shirts 15; folding clothes into the closet 10",
        ordered=True,
    ),
)
HOMEMAKING = activity(
    "homemaking",
    r"homemak|look after the (?:home|house|family)|easier for (?:her|his|the) family",
    hour(
        "put the kitchen in order and plan the week's meals",
        (
            "wiping the stove 10; sorting through the refrigerator 10; writing a list of "
            "groceries 10; planning the week's meals 15; washing up at the sink 10"
        ),
    ),
    hour(
        "clean the house",
        "sweeping the common room 15; making the beds 10; dusting the shelf 10; "
        "plumping up the sofa cushions 5; cleaning the bathroom sink 10; mopping the floor 15",
    ),
    hour(
        "tend the garden and hang up the wash",
        "weeding the garden bed 15; watering the garden bed 10; hanging up the wash 15; "
        "folding clothes into the closet 15",
    ),
)
AT_HOME = (
    LETTERS,
    HOMEMAKING,
    CHORES,
    PLAYING_MUSIC,
    LISTENING,
    NEWS,
    READING,
    EVENING,
)
