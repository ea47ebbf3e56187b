"""Activities of writing, thinking and business (stand-in, not a language model)."""

from apps.rule_model.planning.vocabulary import activity, first, hour, last

STORY = activity(
    "writing stories",
    (
        r"\b(?:novel|poems?|poetry|stor(?:y|ies)|children's book|book|comic|podcast|"
        r"series)\b.*|\bwrite\b"
    ),
    first(
        "read over yesterday's pages of {thing}",
        (
            "making a cup of tea 5; reading over yesterday's pages of {thing} 15; marking "
            "what to change in {thing} 10; writing the first sentences of the day at the desk "
            "15; looking out of the window for the right word 10"
        ),
    ),
    hour(
        "write new pages of {thing}",
        "writing {thing} at the desk 15; reading a sentence of {thing} aloud 5; "
        "crossing out a paragraph 5; going on with {thing} at the desk 15; "
        "looking up a word 5; walking up and down for an idea 10",
    ),
    hour(
        "cut and polish {thing}",
        (
            "reading a page of {thing} aloud 10; cutting a sentence of {thing} at the desk 5; "
            "finding a better word 5; writing a page of {thing} anew at the desk 15; "
            "drinking a glass of water 5; moving a paragraph of {thing} 10"
        ),
    ),
    hour(
        "think out the next part of {thing}",
        (
            "sketching the next part of {thing} at the desk 15; making notes on a character "
            "15; leafing through an old notebook 10; trying out a first line 10; staring out "
            "of the window 5"
        ),
    ),
    last(
        "revise {thing}",
        "reading the day's pages of {thing} aloud 15; striking out weak lines 10; "
        "copying {thing} out neatly at the desk 15; noting where to go on tomorrow 10; "
        "tidying the desk 5",
    ),
    things=(
        "manuscript, novel, collection of poems, poem, children's book, comic, podcast, "
        "series, stories, story, book"
    ),
)
COMIC = activity(
    "drawing a comic",
    r"\bcomic",
    hour(
        "draw the panels of the comic",
        "sketching a panel at the desk 15; drawing a hat again and again at the desk 10; "
        "inking the lines at the desk 15; coloring a coat at the desk 10; "
        "holding the page at arm's length 5",
    ),
    hour(
        "think up the next page of the comic",
        "writing what the figures say at the desk 10; dividing the page into panels 10; "
        "sketching the page at the desk 15; laughing at a drawing 5; "
        "choosing colors for the page at the desk 10",
    ),
)
BLACKBOARD = activity(
    "mathematics on the blackboard",
    r"(?:proof|equation|mathemat|pattern)\w*\b.*\bblackboard",
    first(
        "write down what is known and what is to be proven",
        "wiping the blackboard 5; writing the claim on the blackboard 10; "
        "drawing a figure on the blackboard 10; trying small numbers at the desk 15; "
        "staring at the blackboard 10; looking up a theorem on the shelf 10",
    ),
    hour(
        "try one approach after the other",
        "writing an equation on the blackboard 15; walking up and down 5; "
        "trying another approach on the blackboard 15; wiping half of the blackboard 5; "
        "checking a step at the desk 10; muttering over a formula 10",
    ),
    hour(
        "fill the blackboard with a proof",
        "writing a lemma on the blackboard 15; finding a gap in the proof 10; "
        "mending the gap on the blackboard 15; copying the proof at the desk 15; "
        "eating a biscuit 5",
    ),
)
MATHS = activity(
    "mathematics",
    r"mathemat|proof|theorem|patterns in nature|equation",
    hour(
        "look for patterns and write them down",
        "drawing a spiral at the desk 15; counting the seeds of a sunflower 10; "
        "writing an equation at the desk 15; staring at the equation 5; "
        "comparing a shell with a leaf 10; reading an old proof at the desk 10",
    ),
    hour(
        "work on a proof",
        (
            "checking a lemma at the desk 15; filling a page with a proof 15; finding a gap in "
            "the proof 10; muttering over a formula 10; writing out a step at the desk 15"
        ),
    ),
)
SOFTWARE = activity(
    "software",
    r"\b(?:app|software|programs?|code|engineer|website)\b",
    hour(
        "program {thing}",
        "writing code for {thing} at the desk 15; running the tests of {thing} 5; "
        "fixing a bug in {thing} 15; reading documentation 10; drinking coffee at the desk 5; "
        "sketching the next screen of {thing} 10",
    ),
    hour(
        "test and polish {thing}",
        "trying out {thing} on a phone 10; noting what feels wrong 10; "
        "writing code for {thing} at the desk 15; reading about new technology 15; "
        "cleaning up the code of {thing} 10",
    ),
    hour(
        "plan the next version of {thing}",
        "listing what users asked for 10; drawing a screen of {thing} at the desk 15; "
        "estimating how long each part takes 10; writing a plan for {thing} at the desk 15; "
        "answering a question of a user 10",
    ),
    hour(
        "hunt a bug in {thing}",
        "reading the log of {thing} at the desk 10; repeating the bug in {thing} 10; "
        "writing a test for {thing} at the desk 15; changing one line of code at the desk 5; "
        "running the tests of {thing} 5; drawing boxes and arrows at the desk 10",
    ),
    things="mobile app, app, website, program, software",
)
LAW = activity(
    "law and taxes",
    r"\btax|\blaw|legal|compliance|client's (?:case|books)",
    hour(
        "go through the files of a client",
        "reading a client's file at the desk 15; checking receipts 15; "
        "noting questions for the client 10; looking up a paragraph of the tax code 10; "
        "filling in a form at the desk 15",
    ),
    hour(
        "draft a tax statement",
        (
            "adding up figures at the desk 15; drafting a statement at the desk 15; checking "
            "the figures once more 10; writing to a client 10; filing papers on the shelf 5"
        ),
    ),
    hour(
        "prepare a meeting with a client",
        "reading the letters of a client at the desk 15; "
        "listing open questions at the desk 10; looking up a ruling on the shelf 10; "
        "comparing two years at the desk 15; "
        "sharpening a pencil 5",
    ),
)
PHILOSOPHY = activity(
    "philosophy",
    r"philosoph|creativity matters|challenge what",
    hour(
        "think a question through and write it down",
        "reading an old philosopher 15; making notes in the margin 10; "
        "writing a page at the desk 15; pacing up and down 5; "
        "putting an objection into words 10; fetching a book from the bookshelf 5",
    ),
    hour(
        "doubt what seems to be certain",
        "listing what everybody takes for granted at the desk 15; looking for a "
        "counterexample 10; reading a footnote at the desk 10; writing an example at the desk "
        "15; gazing out of the window 5",
    ),
)
BUSINESS_AT_DESK = activity(
    "desk work",
    (
        r"accounts|paperwork|plans? for the (?:shop|cafe|store)|e-?mail|online shop|"
        r"shop online|order supplies"
    ),
    hour(
        "do the paperwork",
        "sorting bills at the desk 10; adding up figures at the desk 15; "
        "answering letters at the desk 15; writing an order at the desk 10; filing papers 10",
    ),
)
DESK_WORK = (
    BLACKBOARD,
    MATHS,
    LAW,
    SOFTWARE,
    PHILOSOPHY,
    BUSINESS_AT_DESK,
    COMIC,
)
