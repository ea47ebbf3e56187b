"""Activities of study, writing and thinking (stand-in, not a language model)."""

from apps.planning.offline.vocabulary import activity, first, hour, last

CLASSES = activity(
    "classes",
    r"\bclass(?:es)?\b|lecture|seminar|workshop",
    first(
        "go to the first class of the day",
        "finding a seat in the student seating 5; listening to the lecture 15; "
        "taking notes in the student seating 15; copying from the blackboard 10; "
        "asking a question 5; talking over an exercise in the student seating 10",
    ),
    hour(
        "attend a lecture and take notes",
        "listening to the lecture 15; taking notes in the student seating 15; "
        "copying from the blackboard 10; thinking about a question 10; "
        "reading a handout in the student seating 10",
    ),
    hour(
        "work on exercises in class",
        "working on an exercise in the student seating 15; comparing results 10; "
        "listening to the explanation at the blackboard 10; writing down the homework 5; "
        "trying a harder exercise in the student seating 15",
    ),
    last(
        "attend the last class and note the assignments",
        "listening to the lecture 15; taking notes in the student seating 15; "
        "writing down the assignments 10; asking a question after class 10; packing up 10",
    ),
)
PAPER = activity(
    "writing a paper",
    r"\b(?:paper|thesis|essay|dissertation|article)\b",
    first(
        "gather sources for {thing}",
        "looking for sources on the bookshelves 15; skimming an article at a table 15; "
        "taking notes for {thing} 15; marking quotations for {thing} 10; "
        "sorting the notes at a table 10",
    ),
    hour(
        "draft the next section of {thing}",
        "reading over the last section of {thing} 10; writing a paragraph of {thing} 15; "
        "checking a quotation on the bookshelves 5; rewriting a sentence of {thing} 10; "
        "writing the next paragraph of {thing} 15; stretching at the table 5",
    ),
    hour(
        "read and take notes for {thing}",
        "reading a study for {thing} 15; taking notes for {thing} 15; "
        "fetching another book from the bookshelves 5; comparing two authors 10; "
        "writing down a question for {thing} 10; looking up figures on a computer 10",
    ),
    hour(
        "go through the figures for {thing}",
        (
            "looking up figures on a computer 15; making a table for {thing} 15; checking the "
            "figures once more 10; writing a note on the figures 10; resting the eyes 5"
        ),
    ),
    last(
        "revise {thing} and put the notes in order",
        "reading {thing} from the beginning 15; crossing out a paragraph of {thing} 10; "
        "mending the references of {thing} 15; sorting the notes 10; "
        "putting the books back on the bookshelves 5; listing what is to be done next 5",
    ),
    things="research paper, thesis, essay, dissertation, article, paper",
)
STUDY = activity(
    "studying",
    r"\bstud(?:y|ies|ying)\b|homework|assignment|exam|course|learn",
    hour(
        "study for the next exam",
        "reading the textbook at the desk 15; solving a problem at the desk 15; "
        "making flash cards 10; checking the solution 10; going over lecture notes 10; "
        "stretching for a moment 5",
    ),
    hour(
        "work through a set of problems",
        "reading the first problem 5; sketching a solution at the desk 15; "
        "looking up a formula in a book 10; solving a problem at the desk 15; "
        "writing out the solution neatly 10",
    ),
    hour(
        "catch up on the reading",
        (
            "reading the textbook at the desk 15; underlining a passage 5; writing a summary "
            "at the desk 15; reading on 15; looking up from the book for a moment 5"
        ),
    ),
    last(
        "go over what was learnt and pack up",
        (
            "going over lecture notes 15; testing what was learnt 10; solving one last "
            "problem at the desk 15; packing the books 5; listing open questions 10"
        ),
    ),
)
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
        "crossing out a paragraph 5; writing {thing} on at the desk 15; "
        "looking up a word 5; walking up and down for an idea 10",
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
        "novel, collection of poems, poem, children's book, comic, podcast, series, "
        "story, book, manuscript"
    ),
)
MATHS = activity(
    "mathematics",
    r"mathemat|proof|theorem|patterns in nature|equation",
    hour(
        "look for patterns and write them down",
        "writing an equation on the blackboard 15; staring at the equation 10; "
        "drawing a spiral at the desk 10; trying another approach on the blackboard 15; "
        "wiping half of the blackboard 5; reading an old proof at the desk 10",
    ),
    hour(
        "work on a proof",
        (
            "checking a lemma at the desk 15; filling the blackboard with a proof 15; finding "
            "a gap in the proof 10; muttering over a formula 10; writing out a step at the "
            "desk 15"
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
    things="app, website, program, software",
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
)
BUSINESS_AT_DESK = activity(
    "desk work",
    (
        r"accounts|paperwork|plans? for the (?:shop|cafe|store)|e-?mail|online (?:shop|class)|"
        r"order supplies"
    ),
    hour(
        "do the paperwork",
        "sorting bills at the desk 10; adding up figures at the desk 15; "
        "answering letters at the desk 15; writing an order at the desk 10; filing papers 10",
    ),
)
DESK_WORK = (
    PAPER,
    CLASSES,
    MATHS,
    LAW,
    SOFTWARE,
    PHILOSOPHY,
    STUDY,
    BUSINESS_AT_DESK,
    STORY,
)
