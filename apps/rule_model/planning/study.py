"""Activities of those who study (stand-in, not a language model)."""

from apps.rule_model.planning.vocabulary import activity, first, hour, last

CLASSES = activity(
    "classes",
    r"\bclass(?:es)?\b|lecture|seminar|workshop",
    first(
        "go to the first class of the day",
        "finding a seat in the student seating 5; listening to the lecture 15; "
        "taking notes in the student seating 15; copying what is on the board 10; "
        "asking a question 5; talking over an exercise in the student seating 10",
    ),
    hour(
        "attend a lecture and take notes",
        "listening to the lecture 15; taking notes in the student seating 15; "
        "copying what is on the board 10; thinking about a question 10; "
        "reading a handout in the student seating 10",
    ),
    hour(
        "work on exercises in class",
        "working on an exercise in the student seating 15; comparing results 10; "
        "listening to the explanation of the lecture 10; writing down the homework 5; "
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
        "writing down a question for {thing} 10; looking up numbers in a yearbook 10",
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
ONLINE_CLASS = activity(
    "online class",
    r"online (?:class|course)",
    hour(
        "take an online class",
        "opening the lesson at the desk 5; watching the lesson at the desk 15; "
        "taking notes at the desk 15; answering the questions of the lesson at the desk 10; "
        "looking up a word 5; watching the end of the lesson at the desk 10",
        ordered=True,
    ),
)
STUDIES = (ONLINE_CLASS, PAPER, CLASSES, STUDY)
