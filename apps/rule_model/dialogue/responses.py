"""What is said to news, opinions, invitations and requests (stand-in, no language model)."""

from apps.dialogue.chains.utterance import Line
from apps.rule_model.dialogue import answering, inviting
from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.hearing import Heard, acts_in, heard_in
from apps.rule_model.dialogue.recounting import names_in, recounted
from apps.rule_model.dialogue.scene import Scene
from apps.rule_model.dialogue.telling import opinion, reaction
from apps.rule_model.reading.concerns import is_pursuit
from apps.rule_model.reading.gatherings import Gathering, gathering_in, outing_in
from apps.rule_model.reading.moments import when_in
from apps.rule_model.reading.names import first_name, people_in, subject_of
from apps.rule_model.reading.news import strength_of
from apps.rule_model.reading.ties import Closeness, opinion_of

PROPOSALS = frozenset({Act.INVITATION, Act.REQUEST})
HELPS_WARMLY, HELPS_ANYBODY = 0.85, 0.5
_INTEREST = (
    "That sounds interesting.",
    "That sounds like a lot of work.",
    "Sounds like you're enjoying it.",
    "Oh, nice.",
    "I'd like to hear more about that some day.",
)
_HELPFUL = ("Sure, I can help.", "Of course I'll help.", "Yes, I'll do that, gladly.")
_UNHELPFUL = ("I'm afraid I can't, I have too much to do.", "Not today, sorry.")
_UNHELPFUL_THEN = ("I'm afraid I can't: {clash} then.",)
_HELPED = ("That's a great help.", "Great, that makes it easier.")
_MAY_SPREAD = ("All right.", "I will.", "We'll see whom I meet.")
_WILL_SPREAD = ("I'll tell people about it.", "I'll pass it on.", "I'll let others know.")
_STANDS_FIRM = (
    "I'll do it anyway.",
    "I thought you'd say that.",
    "You'll see.",
    "Wait and see.",
)
_WHO_KNOWS = ("Well, who knows.", "Maybe you're right.", "We'll see.")
_DISAGREES = (
    "I think you're wrong about {first}.",
    "You're too hard on {first}.",
    "I see that differently.",
)
_SHARES_DOUBT = ("My words.", "Neither do I.", "You're telling me.")
_PLEASED = ("That's good to hear.", "Thanks, {name}.", "It means something that you say so.")
_SHARES = ("Me too.", "I think so, too.", "Same here.")
_DOES_NOT_SHARE = ("I'm not so sure about {first}.", "We'll have to disagree on {first}.")
_NODS = ("I see.", "Right.", "Sure.", "True.")


def statement(scene: Scene, heard: Heard) -> list[str]:
    """React to what was told: news with wonder and opinion, work with interest."""
    core = core_of(scene, heard.sentence)
    subject = subject_of(core, (scene.me, scene.you))
    if strength_of(core, subject) or heard.act is Act.NEWS:
        return reaction(scene, core, subject) if subject else [scene.pick(_NODS, "nod")]
    if is_pursuit(core, subject) and not scene.tie.dislikes:
        return [scene.pick(_INTEREST, "interest")]
    return []


def opinion_asked(scene: Scene, heard: Heard) -> list[str]:
    """Say what one thinks of a person, or of what was told last."""
    people = people_in(heard.about, (scene.me, scene.you))
    if people:
        return [opinion(scene, "", people[0])]
    about = heard.about or " ".join(line.text for line in scene.given.lines[-3:])
    named = [news for news in scene.news if news.is_in(about)]
    if named:
        return [opinion(scene, named[0].core, named[0].subject)]
    spoken = [core_of(scene, one.sentence) for one in heard_in(scene.theirs[-1])]
    subject = next((found for core in spoken if (found := subject_of(core))), "")
    return [opinion(scene, " ".join(spoken), subject)] if subject else answering.oddly(scene)


def invited(scene: Scene) -> list[str]:
    """Accept an invitation, decline it, or leave it open."""
    gathering = gathering_of(scene, by=scene.you)
    if gathering is None:
        return [scene.pick(("Maybe. I'll think about it.", "Perhaps another day."), "vague")]
    return inviting.answer(scene, gathering)


def requested(scene: Scene, heard: Heard) -> list[str]:
    """Promise to help, or not: for what is planned already, or for want of will."""
    likely = HELPS_WARMLY if scene.tie.warm else HELPS_ANYBODY
    when = when_in(heard.about, scene.today)
    clash = inviting.clashing(scene, Gathering(heard.about, "", "", when))
    if clash:
        return [scene.pick(_UNHELPFUL_THEN, "helps", clash=clash)]
    helps = not scene.tie.dislikes and scene.chance.unit("helps", heard.about) < likely
    return [scene.pick(_HELPFUL if helps else _UNHELPFUL, "helps")]


def answered(scene: Scene, heard: Heard) -> list[str]:
    """Answer yes, no or maybe, if something was asked that they are an answer to."""
    asked = proposed_by(scene)
    if asked is None:
        return []
    if asked is Act.REQUEST:
        return [scene.pick(_HELPED if heard.act is Act.YES else _NODS, "helped")]
    gathering = gathering_of(scene, by=scene.me)
    is_host = gathering is not None and gathering.host == scene.me
    return inviting.to_their_answer(scene, heard.act, is_host=is_host)


def doubted(scene: Scene) -> list[str]:
    """Answer a doubt of one's own news, or of somebody's, by what one thinks oneself."""
    subject = _spoken_of(scene)
    if subject in (scene.me, ""):
        return [scene.pick(_STANDS_FIRM if subject else _WHO_KNOWS, "firm")]
    liking = opinion_of(subject, scene.me, scene.known)
    phrases = {1: _DISAGREES, 0: _WHO_KNOWS, -1: _SHARES_DOUBT}[liking]
    return [scene.pick(phrases, "doubt", first=first_name(subject))]


def approved(scene: Scene) -> list[str]:
    """Answer praise of one's own news, or of somebody's."""
    subject = _spoken_of(scene)
    if subject == scene.me:
        return [scene.pick(_PLEASED, "pleased")]
    if subject and opinion_of(subject, scene.me, scene.known) < 0:
        return [scene.pick(_DOES_NOT_SHARE, "unshared", first=first_name(subject))]
    shares = bool(subject) and scene.happens(0.5, "shares")
    return [scene.pick(_SHARES, "shared")] if shares else []


def spread(scene: Scene) -> list[str]:
    """Answer the wish that news be passed on."""
    if scene.tie.closeness <= Closeness.ACQUAINTED and scene.happens(0.5, "spread"):
        return [scene.pick(_MAY_SPREAD, "nod")]
    return [scene.pick(_WILL_SPREAD, "spread")]


def core_of(scene: Scene, sentence: str) -> str:
    """Return what the other one's sentence says, in the third person."""
    names = names_in([*scene.given.lines, Line(speaker=scene.me, text="")])
    return recounted(
        sentence, speaker=scene.you, listener=scene.me, today=scene.today, names=names
    )


def gathering_of(scene: Scene, *, by: str) -> Gathering | None:
    """Return the gathering that one of the two has been speaking of."""
    other = scene.me if by == scene.you else scene.you
    names = names_in(scene.given.lines)
    told = [
        (
            one.act,
            recounted(one.sentence, speaker=by, listener=other, today=scene.today, names=names),
        )
        for line in scene.given.lines
        if line.speaker == by
        for one in heard_in(line.text)
    ]
    proposed = (outing_in(core, scene.today) for act, core in told if act is Act.INVITATION)
    gathering = gathering_in([core for _, core in told], scene.today)
    return gathering or next(filter(None, proposed), None)


def proposed_by(scene: Scene) -> Act | None:
    """Return what the speaker has asked the other one to with their last words."""
    acts = acts_in(scene.mine[-1]) if scene.mine else []
    return next((act for act in acts if act in PROPOSALS), None)


def _spoken_of(scene: Scene) -> str:
    """Return whom the news is about that the speaker told last, "" if it was none."""
    if not scene.mine:
        return ""
    told = [news.subject for news in scene.news if news.is_in(scene.mine[-1])]
    return told[0] if told else ""
