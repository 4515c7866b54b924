"""Matchers: keywords and names in a row of tokens, where no dictionary says where they end."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.rulestext.tokens import CORE_KEYWORDS, Kind, Token

_LINKS_TEXT = """
    of the de du and to in for from on with a an o' ov by into
"""
_LINKS = frozenset(_LINKS_TEXT.split())

#: words that never are part of a keyword, though a sentence or a table may write them with a capital
NOT_KEYWORDS = frozenset(
    """a all an and any are at after add and be before below both but by can cannot change could declare do does each either
    end enemy every excluding for friendly from has have his her if improve in instead is it its just may model models more
    must new no not of on once one only or other phase ranged melee re-roll roll rolls select set shoot start subtract that
    some the their them then there these they this those to turn two three four five six until up unit units use was were
    weapon weapons when whenever where while who whose will with within without worsen would you your battle-shocked
    battle-shock engaged unengaged engagement eligible wholly visible half-strength hit wound critical attack attacks
    target targets objective objectives stratagem stratagems ability abilities keyword keywords characteristic
    characteristics when target effect restrictions army opponent opponent's during another in addition as per additionally
    first second third number benefit designer's note example halve crusade such""".split()  # noqa: SIM905
)

_NOT_NAMES = frozenset(
    """a an is are was were has have had it its they them their this that these those which who if when while until each
    every can cannot must may will would and or by make makes made model models unit units your you within add subtract
    equipped from with to against gains gain does do instead select target targets attack attacks of re-roll roll not no
    while before after just any one two three up all ranged melee ability
    abilities aura charge stratagem stratagems""".split()  # noqa: SIM905
)


def keyword_run(tokens: Sequence[Token], at: int) -> list[int]:
    """The ends of a row of capitalised words that may be keywords; the longest first."""
    ends = [end for end in _run(tokens, at, NOT_KEYWORDS, 9) if not _of_a_campaign(tokens, at, end)]
    if not ends or ends[0] + 1 >= len(tokens) or tokens[ends[0]].word not in ("in", "with"):
        return ends
    more = _run(tokens, ends[0] + 1, NOT_KEYWORDS, 6)  # "Lord in Heavy Armour models" are called so
    named = bool(more) and more[0] < len(tokens) and tokens[more[0]].word in ("unit", "units", "model", "models")
    return [more[0], *ends] if named else ends


#: what units and players have in a campaign, by the words that end its name
_CAMPAIGN_TEXT = """
    order of battle|agenda|battle honour|battle trait|battle scar|crusade blessing|crusade relic|weapon modification
    |requisition|quest|vow|oath|trial|deed|pledge|saga
"""
_CAMPAIGN = tuple(tuple(name.split()) for name in _CAMPAIGN_TEXT.strip().split("|"))


def _of_a_campaign(tokens: Sequence[Token], start: int, end: int) -> bool:
    words = [token.word for token in tokens[start:end]]
    words[-1] = words[-1].removesuffix("s")
    return any(tuple(words[-len(name) :]) == name for name in _CAMPAIGN)


_NO_NAME_BEGINS = frozenset(("while", "if", "when", "whenever", "until", "unless", "each"))


def name_run(tokens: Sequence[Token], at: int) -> list[int]:
    """The ends of what may be the name of a rule: capitals, with small words between; a term of the game is none."""
    if tokens[at].word in _NO_NAME_BEGINS or (tokens[at].word in _BEARERS and not _capital(tokens, at + 1)):
        return []
    ends = _run(tokens, at, frozenset(), 9)
    return [end for end in ends if " ".join(token.word for token in tokens[at:end]) not in _TERMS]


_BEARERS = frozenset(("model", "models", "unit", "units"))


def step_run(tokens: Sequence[Token], at: int) -> list[int]:
    """The ends of what may be the name of a step; its start or its end is no part of it."""
    return [] if tokens[at].word in _NO_STEP_BEGINS else name_run(tokens, at)


_NO_STEP_BEGINS = frozenset(("start", "beginning", "end", "in", "at", "during", "the", "resolve"))


_STRATAGEM = frozenset(("stratagem", "stratagems"))


def stratagem_run(tokens: Sequence[Token], at: int) -> list[int]:
    """The ends of the name of a stratagem, before the word itself; before "Stratagems", "and" stands between two names."""
    ends = [end for end in name_run(tokens, at) if all(token.word not in _STRATAGEM for token in tokens[at:end])]
    longest = ends[0] if ends else at
    if longest < len(tokens) and tokens[longest].word == "stratagems":
        ends = [end for end in ends if all(token.word != "and" for token in tokens[at:end])]
    return ends


_TERMS_TEXT = """
    engagement range|cp|normal|advance|fall back|charge|surge|ingress|scout|pile-in|consolidation|consolidate|disembark
    |half-strength|starting strength|strategic reserves|reserves|objective marker|objective markers|battle-shock
    |crusade|order of battle|stratagem|stratagems|warlord|pile in
"""
_TERMS = frozenset(term.strip() for term in _TERMS_TEXT.split("|"))


def weapon_run(tokens: Sequence[Token], at: int) -> list[int]:
    """The ends of what may be the name of a weapon or of wargear, in any capitals."""
    if at < len(tokens) and tokens[at].word in ("weapon", "weapons"):
        return []
    if [token.word for token in tokens[at : at + 2]] == ["snap", "shooting"]:  # a way to shoot
        return []
    ends = []
    for end in range(at, min(at + 6, len(tokens))):
        token = tokens[end]
        if token.word in _NOT_NAMES or (not token.kind & (Kind.WORD | Kind.NUM) and token.word not in ("'s", "-")):
            break
        if token.kind & Kind.WORD and not (end == at and token.word == "the"):
            ends.append(end + 1)
    return ends[::-1]


def anti_run(tokens: Sequence[Token], at: int) -> list[int]:
    """The ends of "Anti-INFANTRY", "Anti-EPIC HERO", before its number."""
    if not tokens[at].word.startswith("anti-"):
        return []
    ends = [end for end in range(at + 1, min(at + 4, len(tokens))) if tokens[end].kind & Kind.PLUS]
    return ends[:1]


_NOUNS = frozenset(("weapon", "weapons", "attack", "attacks", "ranged", "melee"))


def sort_words(tokens: Sequence[Token], at: int) -> list[int]:
    """The name of a sort of weapon, right before the noun: "plasma weapons", "plasma ranged attacks"."""
    return [end for end in weapon_run(tokens, at) if end < len(tokens) and tokens[end].word in _NOUNS]


def _of_a_title(tokens: Sequence[Token], at: int) -> bool:
    """A word with one capital that is no keyword of the game itself: "Red Guard with Big Wings" is one name."""
    if at >= len(tokens):
        return False
    token = tokens[at]
    plain = token.word not in CORE_KEYWORDS and token.word.removesuffix("s") not in CORE_KEYWORDS
    plain |= at + 1 < len(tokens) and tokens[at + 1].raw.istitle() and tokens[at + 1].word not in NOT_KEYWORDS
    return token.raw[:1].isupper() and not token.raw.isupper() and plain and token.word not in NOT_KEYWORDS


def _capital(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and bool(tokens[at].kind & Kind.CAP)


def _before_unit(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].word in _OF_STATES


#: words that may end a name written in capitals, though no keyword is called so
_LOUD = frozenset(("one", "ones", "change"))


def _run(tokens: Sequence[Token], at: int, stop: frozenset[str], limit: int) -> list[int]:
    ends: list[int] = []
    end = at
    while end < len(tokens) and end - at < limit:
        token = tokens[end]
        loud = token.word in _LINKS and token.raw.isupper() and bool(ends)
        if loud and (end + 1 >= len(tokens) or not tokens[end + 1].raw.isupper()):
            break
        loud |= (
            bool(ends) and token.word in ("weapons", "weapon") and _capital(tokens, end) and _capital(tokens, end + 1)
        )
        if stop and token.word == "with" and ends and _of_a_title(tokens, end - 1) and _of_a_title(tokens, end + 1):
            end += 1
            continue
        named = stop and ends and token.raw.isupper() and tokens[end - 1].raw.isupper()
        named = named and (token.word in _LOUD or (token.word == "weapons" and _before_unit(tokens, end + 1)))
        if loud or named or (token.kind & Kind.CAP and token.word not in stop):
            ends.append(end + 1)
        elif not (
            ends and ((token.word in _LINKS and not stop) or token.word in ("of", "the", "'s", "'", "-", "&", "!"))
        ):
            break
        elif token.word == "!" and not stop:
            ends.append(end + 1)
        end += 1
    return ends[::-1]


_NO_STATES_TEXT = """
    destroyed equipped selected engaged unengaged battle-shocked led attached embarked targeted allocated resolved used
    attempted performed activated manifested purchased reanimated restored discarded
    required used hit wounded shot fought advanced charged moved disembarked placed removed removed removed scored failed
    ranged unmodified increased improved worsened reduced halved added combined
    twin-linked
    passed based needed allowed mounted controlled secured contested named made considered treated issued affected rolled set
    refunded
"""
_OTHER_STATES = frozenset({"shaken", "stricken", "broken", "frozen", "aflame", "prone", "ablaze"})
_NO_STATES = frozenset(_NO_STATES_TEXT.split())


def act_words(tokens: Sequence[Token], at: int) -> list[int]:
    """What someone may do that has only a name: "a meteoric descent", up to the end of the clause."""
    end = at
    while end < len(tokens) and end - at < 6 and tokens[end].kind & Kind.WORD and tokens[end].word not in _NO_ACTS:
        end += 1
    return [end] if end > at and (end == len(tokens) or tokens[end].word in (",", ";", ":")) else []


_NO_ACTS_TEXT = """
    move moves shoot fight charge wounds wound unit units model models attack attacks stratagem if while when until within
    and or that which it its test tests roll rolls by
"""
_NO_ACTS = frozenset(_NO_ACTS_TEXT.split())


def deed_words(tokens: Sequence[Token], at: int) -> list[int]:
    """What someone may do that the rule says no more of: "unleash the beast within", up to the end of the clause."""
    end = at
    while end < len(tokens) and end - at < 12 and tokens[end].word not in _DEEDS_END:
        if tokens[end].word in _NO_DEEDS:
            return []
        end += 1
    alone = end == at + 1 and tokens[at].kind & Kind.WORD and tokens[at].raw.islower()
    return [end] if (end > at + 1 or alone) and tokens[at].word not in _RULED_VERBS else []


_DEEDS_END = frozenset((",", ";", ":", "(", "[", "-"))
_RULED_VERBS = frozenset(
    """be never move shoot fight fly charge advance fall target return regain re-roll select roll add subtract improve worsen
    change ignore set place remove embark disembark attach join have gain lose suffer take choose pick redeploy arrive start
    perform issue destroy spend discard heal attack not only also either then still end treat count score score
    increase reduce halve double split replace include transport see draw purchase award first make call""".split()  # noqa: SIM905
)
_NO_DEEDS = frozenset(
    """move moves wounds wound mortal stratagem stratagems battlefield reserves cp roll rolls test tests attack attacks dice
    battle-shocked battle-shock destroyed objective phase turn engagement unless if within while when until instead
    order orders ability abilities charge characteristic weapon weapons""".split()  # noqa: SIM905
)


def condition_words(tokens: Sequence[Token], at: int) -> list[int]:
    """A state said in several words: "wracked with agonies", "struck by the wave"."""
    if not (tokens[at].kind & Kind.WORD) or tokens[at].word in _NO_STATES or at + 2 >= len(tokens):
        return []
    if not tokens[at].word.endswith(("ed", "en", "struck", "caught")) or tokens[at + 1].word not in (
        "by",
        "with",
        "in",
        "for",
        "through",
    ):
        return []
    if tokens[at + 1].word == "for" and not tokens[at + 2].raw.islower():
        return []
    end = at + 2
    while end < len(tokens) and end - at < 6 and tokens[end].kind & Kind.WORD and tokens[end].word not in _NO_PLIGHT:
        end += 1
    return [end] if end > at + 2 else []


_NO_PLIGHT = frozenset(
    """suffers suffer is are has have this that those these it unit units model models attack attacks one two any while
    until each cannot must can takes take makes wounds gains loses enemy friendly within in and or greatness""".split()  # noqa: SIM905
)


_OF_STATES = frozenset(("unit", "units", "model", "models"))


def state_word(tokens: Sequence[Token], at: int) -> list[int]:
    """A state that rules put on units; the word itself is its name."""
    token = tokens[at]
    one = (
        token.kind & Kind.WORD
        and (token.word.endswith("ed") or token.word in _OTHER_STATES)
        and token.word not in _NO_STATES
        and token.word not in CORE_KEYWORDS
        and (token.word.endswith("ed") or "-" not in token.word)
    )
    loud = token.raw[:1].isupper() and at + 1 < len(tokens)
    name = loud and (tokens[at + 1].raw[:1].isupper() or (at > 0 and tokens[at + 1].word in _OF_STATES))
    return [at + 1] if one and not name and not token.raw.isupper() else []


def mark_words(tokens: Sequence[Token], at: int) -> list[int]:
    """The ends of what someone is marked as, a few plain words: "prey", "hated foe", "object of scorn"."""
    ends: list[int] = []
    for end in range(at, min(at + 3, len(tokens))):
        token = tokens[end]
        if token.word == "of" and ends and end + 1 < len(tokens):
            continue
        if (
            not token.kind & Kind.WORD
            or token.word in _NOT_NAMES
            or token.word in NOT_KEYWORDS
            or token.word == "deployment"
        ):
            break
        if len(ends) < 2:
            ends.append(end + 1)
    return ends[::-1]


def quarry_words(tokens: Sequence[Token], at: int) -> list[int]:
    """What a target was marked as, in plain small letters, with nothing in it that the game itself speaks of."""

    def plain(end: int) -> bool:
        words = [token for token in tokens[at:end] if token.word != "of"]
        return all(token.raw.islower() and token.word not in _NO_QUARRIES for token in words)

    return [end for end in mark_words(tokens, at) if plain(end)]


_GAME_TEXT = """
    unit units model models weapon weapons attack attacks objective objectives marker markers phase phases turn turns round
    rounds battle army armies player players opponent test tests roll rolls move moves charge charges stratagem stratagems
    keyword keywords characteristic characteristics target targets wound wounds damage detachment detachments enhancement
    enhancements terrain feature features transport point points dice die result results hit hits save saves datasheet
    datasheets mission missions card cards abilities ability effect effects rule rules option options following below above
    start friendly enemy least most those same size number amount total value roster leader bodyguard bearer controlled
    deployment zone
"""
_GAME = frozenset(_GAME_TEXT.split())
_NO_QUARRIES = _GAME | CORE_KEYWORDS | {"back", "closest", "warlord", "dice"}


def common_noun(tokens: Sequence[Token], at: int) -> list[int]:
    """The ends of a plain word or two by which a text calls a thing of its own: "stances", "war rites"."""
    ends = []
    for end in range(at, min(at + 2, len(tokens))):
        token = tokens[end]
        plain = token.kind & Kind.WORD and token.raw.islower() and len(token.word) > 2 and token.word not in _GAME
        if not plain or token.word in _NOT_NAMES or token.word in NOT_KEYWORDS or token.word.endswith("ly"):
            break
        ends.append(end + 1)
    return ends[::-1]


def state_words(tokens: Sequence[Token], at: int) -> list[int]:
    """A state of two words: "rad scoured"."""
    if at + 1 >= len(tokens) or common_noun(tokens[: at + 1], at) != [at + 1]:
        return []
    return state_word(tokens, at + 1)


def title_word(tokens: Sequence[Token], at: int) -> list[int]:
    """A word with a capital that ends a clause: "is Righteous" names a state, not a keyword."""
    token = tokens[at]
    last = (
        at + 1 == len(tokens)
        or tokens[at + 1].kind is Kind.PUNCT
        or tokens[at + 1].word in ("and", "or", "that", "until", "for", "again")
    )
    fits = token.kind & Kind.CAP and token.raw[:1].isupper() and not token.raw.isupper() and last
    return [at + 1] if fits and token.word not in NOT_KEYWORDS and token.word not in CORE_KEYWORDS else []


def phrase(tokens: Sequence[Token]) -> str:
    """The words of a name as the text has them, joined again."""
    out = ""
    for token in tokens:
        glue = "" if not out or token.glued or out.endswith("-") else " "
        out += glue + token.raw
    return out
