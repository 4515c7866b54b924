"""A campaign around battles: its moments and steps, what is gained in it, tests and purchases after a battle."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    Build,
    Choose,
    Clause,
    Condition,
    Duration,
    Event,
    Grant,
    HasState,
    Keyword,
    Limit,
    Not,
    Option,
    Order,
    Permit,
    Pool,
    PoolHas,
    Remove,
    Reroll,
    RollMod,
    RollSet,
    Same,
    Select,
    SetState,
    Stat,
    StatMod,
    Stratagem,
    StratagemIs,
    Window,
)
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.attacks import stat_mod
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.phrases import it, last_effect, plain, row, whole
from battlewright.rulestext.builders.picks import pick
from battlewright.rulestext.builders.scopes import may
from battlewright.rulestext.builders.sentences import Scope, Wrapped, put
from battlewright.rulestext.context import ME, UNIT, Context, Reject
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase

YOU = Select("player", ref="you")
VICTOR = About(YOU, HasState("victor"))
DEFEATED = About(YOU, HasState("defeated"))
UNDERDOG = About(YOU, HasState("underdog"))
THEIR_UNDERDOG = About(Select("player", ref="opponent"), HasState("underdog"))
#: of one's army in the battle, not only of the force it was mustered from
OURS_IN_BATTLE = Same(Select("army", ref="you"))
BATTLE_END = Window(("any",), "either", "end", "battle")
AFTER_BATTLE = Window(("any",), "either", "end", "battle", step="after the battle")
REQUISITION = "requisition"

#: words that begin what is no stretch of a campaign
_OF_BATTLES_TEXT = "battle turn phase round game your opponent command movement shooting charge fight"
_OF_BATTLES = frozenset(_OF_BATTLES_TEXT.split())


def campaign_step(c: Context, words: tuple[Token, ...]) -> str:
    """A step that is called by its name: "Update Scrolls step"."""
    if (
        len(words) < 2
        or words[0].word == "the"
        or not all(word.raw[:1].isupper() or word.word in ("and", "of", "the") for word in words)
    ):
        raise Reject("not the name of a step")
    return phrase(words).lower()


def stretch_edge(c: Context, words: tuple[Token, ...], edge: Anything) -> Window:
    """The start or end of a stretch of a campaign that has a name."""
    return Window(("any",), "either", edge, "battle", step=stretch(c, words))


def until_stretch(c: Context, words: tuple[Token, ...]) -> Duration:
    """As long as a stretch of a campaign goes on."""
    return Duration("while", holds=About(YOU, HasState(stretch(c, words))))


def stretch(c: Context, words: tuple[Token, ...]) -> str:
    """A stretch of a campaign by its name, no stretch of a battle."""
    if len(words) < 2 or any(word.word in _OF_BATTLES for word in words):
        raise Reject("not a stretch of a campaign")
    return phrase(words).lower()


def after_battle(c: Context, step: str) -> Window:
    """A step after the battle."""
    return Window(("any",), "either", "end", "battle", step=step)


def at_battle_end(c: Context, *conditions: Condition) -> Scope:
    """What holds as the battle ends; what is said to happen then already waits for it once."""
    if any(block.when == BATTLE_END for block in c.block.chain()):
        return Scope(holds=list(conditions))
    return Scope(BATTLE_END, list(conditions))


def standing(c: Context, sort: tuple[Token, ...], words: tuple[Token, ...]) -> About:
    """ "You have a surplus in Grain"."""
    return About(YOU, HasState(f"{phrase(sort).lower()} in {phrase(words).lower()}"))


def difference(c: Context, n: Amount, m: Amount) -> Amount:
    """ "5 instead of 3": so many more than are gained anyway."""
    more = value(c, n) - value(c, m)
    if more <= 0:
        raise Reject("fewer, or as many")
    return Amount(Dice(0, 6, more))


def more_from(c: Context, who: Select, pool: str, n: Amount, m: Amount, source: tuple[Token, ...]) -> Wrapped:
    """Each time something gives points, more of them."""
    event = Event("used", whole(who), kinds=(f"{pool} from {phrase(source).lower()}",))
    got = whole(who) if who.ref is not None else Select(who.what, ref="subject")
    return Wrapped((SetState(pool, got, amount=difference(c, n, m)),), event)


def gained_once(c: Context, gain: Pool, most: Amount, pool: str) -> Wrapped:
    """ "You cannot gain more than 1RP per battle": as much as is gained at once, so it is gained once."""
    if gain.name != pool or gain.amount != most:
        raise Reject("several times, to a bound")
    return Wrapped((gain,), limits=(Limit("battle", 1, "army"),))


def select_great(c: Context, can: object, who: Select, but: Select | None = None) -> None:
    """One more unit that is Marked for Greatness, which cannot be ``but``."""
    excluded = None if but is None else Not(Same(whole(but)))
    ours = replace(who, side="friendly", where=conj([who.where, excluded]))
    for mention in c.mentions:
        if mention.select is who:
            mention.select = ours
    put(c, pick(c, ours, can is not None))
    put(c, SetState("marked for greatness", c.it))


def award(c: Context, can: object, who: Select, pool: str, n: Amount) -> None:
    """Points for someone, who is picked where it is one of several."""
    if who.ref is None:
        put(c, pick(c, who, can is not None))
        put(c, SetState(pool, c.it, amount=n))
    else:
        gain = SetState(pool, whole(who), amount=n)
        put(c, gain if can is None else may(c, gain))


def out_of_action(c: Context, how: str, n: int, who: Select) -> Clause:
    """So many failed tests are passed after all, or taken again."""
    effect = (
        RollSet("out_of_action", "success", who=whole(who))
        if how == "pass"
        else Reroll("out_of_action", "failed", may=False, who=whole(who))
    )
    return Clause((effect,), may="you", limits=(Limit("battle", n),))


def out_fails(c: Context, who: Select, result: tuple[int, int | None]) -> RollSet:
    """Results of so much or less fail."""
    low, high = result
    if low != 1 or high is None:
        raise Reject("results in the middle fail")
    return RollSet("out_of_action", "failure", Amount(Dice(0, 6, high)), who=whole(who))


def taken_off(c: Context, n: Amount) -> RollMod:
    """ "Each time it fails such a test, subtract 1 from the result": of the test just taken."""
    for block in c.block.chain():
        if isinstance(block.when, Event) and block.when.name in ("test_failed", "test_taken") and block.when.kinds:
            return RollMod(block.when.kinds[0], n, -1, block.when.subject)  # type: ignore[arg-type]
    raise Reject("the result of what?")


def requisition_cost(c: Context, names: tuple[str, ...], n: Amount, sign: Anything = 1) -> Stratagem:
    """What a Requisition of these costs."""
    return Stratagem("cost", n, sign, StratagemIs(names, REQUISITION))


def requisition_set(c: Context, names: tuple[str, ...], n: Amount) -> Stratagem:
    """What these Requisitions cost, whatever they cost others."""
    return Stratagem("set", n, which=StratagemIs(names, REQUISITION))


def cheaper_once(c: Context, names: tuple[str, ...], n: Amount) -> Clause:
    """One of these Requisitions may be bought for less."""
    return Clause((requisition_cost(c, names, n, -1),), may="you", limits=(Limit("battle"),))


def changed_too(c: Context, stats: tuple[Stat, ...], n: Amount, who: Select) -> Anything:
    """ "… and its Wounds characteristic to 5": changed in the way said last."""
    last = last_effect(c)
    if not isinstance(last, StatMod) or last.on != "model" or last.who != whole(who):
        raise Reject("changed how?")
    return stat_mod(c, stats, last.op, n, who)


def rebuilt(c: Context, gains: tuple[Grant | Remove, ...]) -> tuple[Grant | Remove, ...]:
    """ "Add the X keyword": to the model whose rule it is."""
    if c.it is not None and whole(c.it) not in (ME, UNIT):
        raise Reject("whose keyword?")
    return tuple(replace(gain, who=ME) for gain in gains)


def removed_keywords(c: Context, k: Keyword) -> tuple[Remove, ...]:
    if any(len(group) > 1 for group in k.any_of):
        raise Reject("keywords in groups")
    return tuple(Remove("keyword", group[0]) for group in k.any_of)


def select_campaign(c: Context, name: str) -> Order:
    """One of those that stand elsewhere under this name, which "that …" then means."""
    c.section = name
    return Order("use", name)


def have_campaign(c: Context, who: Select, name: str) -> Grant:
    """ "It has that Battle Trait": the one selected."""
    if not c.section.endswith(name):
        raise Reject("which one?")
    return Grant("ability", c.section, who=whole(who))


#: tests of the game itself
_TESTS = frozenset(("battle-shock", "leadership", "desperate escape", "hazardous", "hazard", "out of action"))


def test_named(c: Context, words: tuple[Token, ...]) -> str:
    """A test of a campaign, by its name."""
    name = phrase(words).lower()
    if name in _TESTS:
        raise Reject("a test of the game itself")
    return name


def named_test(c: Context, can: object, name: str, n: Amount, sign: Anything, who: Select | None) -> Clause:
    """Add to such a test, when it is taken."""
    taker = whole(who or it(c))
    effect = Clause((RollMod("any", n, sign, taker),), when=Event("test_taken", taker, kinds=(name,)))
    return effect if can is None else replace(effect, may="you")


def named_reroll(c: Context, name: str, who: Select | None) -> Clause:
    """Take such a test again."""
    taker = whole(who or it(c))
    return Clause((Reroll("any", who=taker),), when=Event("test_taken", taker, kinds=(name,)))


def up_or_down(c: Context, can: object, name: str, n: Amount, low: Amount, high: Amount) -> Anything:
    """Raise a number of the campaign, or lower it, within its bounds."""
    by = value(c, n)
    up = Option((Pool(name, "add", n),), when=PoolHas(name, 0, value(c, high) - by))
    down = Option((Pool(name, "spend", n),), when=PoolHas(name, value(c, low) + by))
    chosen = Choose((up, down))
    return chosen if can is None else may(c, chosen)


def limit_of(c: Context, n: Token, k: Keyword) -> Build:
    """So many of these."""
    return Build("limit", Select("unit", where=k), amount=plain(c, n))


def by_size(c: Context, size: str, limits: tuple[Build, ...]) -> tuple[Build, ...]:
    """A row of a table: so many of each in a battle of that size."""
    return tuple(replace(limit, words=(size,)) for limit in limits)


def carried_or_lost(c: Context) -> Build:
    """ "Each unit must carry others, or it counts as destroyed": of those just said to be included."""
    last = last_effect(c)
    if not isinstance(last, Build) or last.how != "include" or last.who is None:
        raise Reject("which units?")
    return Build("require", last.who, words=("carries units or destroyed",))


def up_to_in_battle(c: Context, effects: Anything, most: Amount) -> Wrapped:
    """Points that are gained each time, but no more than so many a battle: as often as that is."""
    found = row(effects)
    amount = getattr(found[0], "amount", None) if len(found) == 1 else None
    at_once = amount.n.constant if isinstance(amount, Amount) and amount == Amount(amount.n) else None
    if not at_once or value(c, most) % at_once:
        raise Reject("how often?")
    return Wrapped(found, limits=(Limit("battle", value(c, most) // at_once),))


def extra_honours(c: Context, who: Select, many: str, name: str) -> Permit:
    """More of them than others can have."""
    if not many.endswith("additional"):
        raise Reject("as many as others")
    return Permit(f"have {many} {name}", (), whole(who))


def replace_who(c: Context, change: Stratagem, who: Select) -> Stratagem:
    """For these only."""
    return replace(change, who=whole(who))


def more_included(c: Context, kinds: tuple[Keyword, ...], n: Amount) -> tuple[Build, ...]:
    """So many more of each may be in the army."""
    return tuple(Build("limit", Select("unit", where=k), amount=value(c, n), words=("more than else",)) for k in kinds)
