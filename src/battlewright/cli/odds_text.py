"""An answer as a player would show it to a friend: who, with what, how much, how likely, and what it rests on."""

from __future__ import annotations

from battlewright.attack.ask import Party, Reply
from battlewright.cli.layout import Line, Piece, columns, frame, listing, plain, terminal_width
from battlewright.cli.layout import show as show_lines

_BLOCKS = " ▏▎▍▌▋▊▉█"
_BAR = 36


def show(reply: Reply) -> None:
    """Print an answer to the terminal."""
    show_lines(lines_of(reply, terminal_width()))


def lines_of(reply: Reply, width: int) -> list[Line]:
    """The answer as lines of at most ``width`` letters."""
    title: Line = [
        (reply.attacker.name, "bold"),
        (f" {_verb(reply.attacker)} ", ""),
        (reply.target.name, "bold"),
        (_afterwards(reply), ""),
        (f" ({reply.edition})", ""),
    ]
    parts = [_who(reply, width - 4), _numbers(reply), _chances(reply), _chart(reply)]
    parts += [_worth(reply)] if reply.worth else []
    parts += [_advice(reply, width - 4)] if reply.advice else []
    notes = [
        *_rule_lines(reply),
        *(("assumed", words) for words in reply.assumed),
        *(("note", note) for note in reply.notes),
    ]
    notes += [("rules", ", ".join(reply.cites))] if reply.cites else []
    parts += [listing(notes, width - 4)] if notes else []
    body = list[Line]()
    for part in parts:
        body += [*([[]] if body else []), *part]
    if len(plain(title)) > width - 8:
        title = [(plain(title)[: width - 9] + "…", "bold")]
    return frame(title, body, width)


def _verb(party: Party) -> str:
    return "fights" if any(weapon.get("melee") for weapon in party.weapons) else "shoots at"


def _afterwards(reply: Reply) -> str:
    """The further activations in the title: ``, then fights it``, ``, then Rust Fangs shoots at it``."""
    steps, last = "", reply.attacker.name
    for later in reply.then:
        steps += f", then {later.name + ' ' if later.name != last else ''}{_verb(later)} it"
        last = later.name
    return steps


def _who(reply: Reply, width: int) -> list[Line]:
    rows = [*_arms(reply.attacker)]
    for later in reply.then:
        rows += [("then", later.name), *_arms(later)]
    for group in reply.target.groups:
        saves = f"Sv{group['Sv']}+" + (f" InSv{group['InSv']}+" if group.get("InSv") else "")
        fnp = f" FNP{group['FNP']}+" if group.get("FNP") else ""
        who = "character" if group.get("character") else "target"
        rows.append(("into", f"{group['models']} × T{group['T']} {saves} W{group['W']}{fnp} ({who})"))
    return [line for row in rows for line in listing([row], width)]


def _arms(party: Party) -> list[tuple[str, str]]:
    return [(f"{weapon['count']} ×".ljust(4), f"{weapon['name']}  {_weapon(weapon)}") for weapon in party.weapons]


def _weapon(weapon: dict[str, object]) -> str:
    skill = f"{weapon['skill']}+" if weapon.get("skill") else "auto"
    words = [f"A{weapon.get('A', 1)} {skill} S{weapon['S']} AP{weapon.get('AP', 0)} D{_damage(weapon)}"]
    shown = {"name", "count", "A", "D", "S", "AP", "skill", "melee", "meets"}
    for key, value in weapon.items():
        if key in shown or not value:
            continue
        name = key.replace("_", " ")
        if isinstance(value, dict):
            words += [f"{name}-{word.lower()} {number}+" for word, number in value.items()]
        elif isinstance(value, list | tuple):
            words += map(str, value)
        else:
            words.append(name if value is True else f"{name} {value}")
    return ", ".join(words)


def _damage(weapon: dict[str, object]) -> str:
    """The damage behind its letter: ``D2``, but ``D D6``."""
    value = str(weapon.get("D", 1))
    return value if value.isdigit() else f" {value}"


def _numbers(reply: Reply) -> list[Line]:
    names = ("attacks", "hits", "wounds", "damage", "models slain", "damage wasted")
    means = (reply.attacks, reply.hits, reply.wounds, reply.damage, reply.slain, reply.wasted)
    rows = [[(name, "dim") for name in names], [(f"{value.mean:.2f}", "") for value in means]]
    return columns(rows, right=range(len(names)))


def _chances(reply: Reply) -> list[Line]:
    rows: list[list[Piece]] = [[("unit destroyed", ""), (_percent(reply.p_destroyed), "bold")]]
    if any(group.get("character") for group in reply.target.groups):
        rows.append([("character slain", ""), (_percent(reply.p_character_slain), "")])
    if reply.per_100_points is not None:
        rows.append([("points slain per 100 points", ""), (f"{reply.per_100_points:.0f}", "")])
    if reply.attacker_wounds.mean:
        own = f"{reply.attacker_wounds.mean:.2f} wounds, {reply.attacker_slain.mean:.2f} models"
        rows.append([("own losses", ""), (own, "")])
    return columns(rows)


def _chart(reply: Reply) -> list[Line]:
    """Bars of the models slain, or of the damage where there is only one model."""
    single = sum(group["models"] for group in reply.target.groups) == 1
    dist = {int(value): share for value, share in (reply.damage_dist if single else reply.slain_dist).items()}
    rows = _grouped(dist)
    highest = max((share for _, share, _ in rows), default=1.0) or 1.0
    head: list[Piece] = [
        ("damage" if single else "models slain", "dim"),
        ("chance", "dim"),
        ("".ljust(_BAR), ""),
        ("or more", "dim"),
    ]
    cells = [head, *([(name, ""), (_percent(share), ""), (_bar(share / highest), "cyan"), (_percent(more), "dim")]
                     for name, share, more in rows)]  # fmt: skip
    return columns(cells, right=(0, 1, 3))


def _worth(reply: Reply) -> list[Line]:
    """What each modifier adds: the answer with it, minus the answer without it."""
    rows: list[list[Piece]] = [[("what it is worth", "dim"), ("damage", "dim"), ("destroyed", "dim")]]
    rows += [
        [(f"{each.what} ({each.rule})", ""), (f"{each.damage:+.2f}", ""), (f"{100 * each.p_destroyed:+.1f} %", "")]
        for each in reply.worth
    ]
    return columns(rows, right=(1, 2))


def _advice(reply: Reply, width: int) -> list[Line]:
    """What either player could choose better, and what he gains by it."""
    items = []
    for each in reply.advice:
        gain = f" ({each.aim} {each.asked:.3f} → {each.best:.3f})" if abs(each.gain) > 5e-4 else " (no gain)"
        items.append((f"{each.player}, {each.about}", each.choose + gain))
    return listing(items, width)


def _percent(share: float) -> str:
    if 0 < share < 0.0005:
        return "< 0.1 %"
    if 0.9995 < share < 1 - 1e-9:  # a sum of chances may miss one by a rounding
        return "> 99.9 %"
    return f"{100 * share:.1f} %"


def _grouped(dist: dict[int, float]) -> list[tuple[str, float, float]]:
    """At most some twenty rows: single values, or equal stretches of them; ends that never happen left out."""
    seen = [value for value, share in sorted(dist.items()) if share >= 0.0005]
    if not seen:
        seen = sorted(dist)
    low, high = seen[0], seen[-1]
    width = max(1, -(-(high - low + 1) // 20))
    rows = []
    for start in range(low, high + 1, width):
        end = min(start + width - 1, high)
        share = sum(dist.get(value, 0.0) for value in range(start, end + 1))
        more = sum(chance for value, chance in dist.items() if value >= start)
        rows.append((str(start) if start == end else f"{start}–{end}", share, min(more, 1.0)))
    return rows


def _bar(share: float) -> str:
    eighths = round(share * _BAR * 8)
    return "█" * (eighths // 8) + _BLOCKS[eighths % 8].strip()


def _rule_lines(reply: Reply) -> list[tuple[str, str]]:
    """What each rule did, what of it was not understood, and which had nothing to do here."""
    counted, unread, idle = list[tuple[str, str]](), list[tuple[str, str]](), list[str]()
    for party in dict.fromkeys((reply.attacker.name, reply.target.name)):
        rules = [
            rule for each in (reply.attacker, *reply.then, reply.target) if each.name == party for rule in each.rules
        ]
        for rule in dict.fromkeys(rules):
            counted += [("counted", f"{party}, {rule.name}: {'; '.join(rule.applied)}")] if rule.applied else []
            unread += [("not understood", f"{party}, {rule.name}: {_shortly(rule.unread)}")] if rule.unread else []
            idle += [f"{party}, {rule.name}"] if not rule.applied and not rule.unread else []
    return [*counted, *unread, *([("no effect here", "; ".join(idle))] if idle else [])]


def _shortly(clauses: tuple[str, ...]) -> str:
    """The first clause, cut, and how many more there are; ``--json`` has all of them."""
    first = clauses[0] if len(clauses[0]) <= 60 else clauses[0][:57].rstrip() + "…"
    more = len(clauses) - 1
    return f"“{first}”" + (f" and {more} more clause{'s' * (more > 1)}" if more else "")
