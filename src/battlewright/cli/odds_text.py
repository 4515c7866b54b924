"""An answer as a player would show it to a friend: who, with what, how much, how likely, and what it rests on."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from battlewright.attack.ask import Party, Reply

_BLOCKS = " ▏▎▍▌▋▊▉█"


def show(reply: Reply) -> None:
    """Print an answer to the terminal."""
    console = Console(highlight=False, emoji=False)
    console.print(
        Panel(
            Group(*_parts(reply)), title=_title(reply), border_style="dim", expand=False, width=min(console.width, 100)
        )
    )


def _title(reply: Reply) -> str:
    verb = "fights" if reply.melee else "shoots at"
    return f"[bold]{escape(reply.attacker.name)}[/] {verb} [bold]{escape(reply.target.name)}[/] ({reply.edition})"


def _parts(reply: Reply) -> list[RenderableType]:
    parts: list[RenderableType] = [_who(reply), Text(), _numbers(reply), Text(), _chances(reply), Text(), _chart(reply)]
    if reply.worth:
        parts += [Text(), _worth(reply)]
    if reply.advice:
        parts += [Text(), _advice(reply)]
    lines = [
        *_rule_lines(reply),
        *[("assumed", words) for words in reply.assumed],
        *[("note", note) for note in reply.notes],
    ]
    if reply.cites:
        lines.append(("rules", ", ".join(reply.cites)))
    if lines:
        parts += [Text(), _listing(lines)]
    return parts


def _who(reply: Reply) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column()
    _arms(table, reply.attacker)
    for later in reply.then:
        table.add_row("then", escape(later.name))
        _arms(table, later)
    for group in reply.target.groups:
        saves = f"Sv{group['Sv']}+" + (f" InSv{group['InSv']}+" if group.get("InSv") else "")
        fnp = f" FNP{group['FNP']}+" if group.get("FNP") else ""
        who = "character" if group.get("character") else "target"
        table.add_row("into", f"{group['models']} × T{group['T']} {saves} W{group['W']}{fnp} [dim]{who}[/]")
    return table


def _arms(table: Table, party: Party) -> None:
    for weapon in party.weapons:
        table.add_row(f"{weapon['count']} ×", f"{escape(str(weapon['name']))}  [dim]{escape(_weapon(weapon))}[/]")


def _weapon(weapon: dict[str, object]) -> str:
    skill = f"{weapon['skill']}+" if weapon.get("skill") else "auto"
    words = [f"A{weapon.get('A', 1)} {skill} S{weapon['S']} AP{weapon.get('AP', 0)} D{_damage(weapon)}"]
    shown = {"name", "count", "A", "D", "S", "AP", "skill", "melee"}
    for key, value in weapon.items():
        if key in shown or not value:
            continue
        name = key.replace("_", " ")
        if isinstance(value, dict):
            words += [f"{name}-{word.lower()} {number}+" for word, number in value.items()]
        else:
            words.append(name if value is True else f"{name} {value}")
    return ", ".join(words)


def _damage(weapon: dict[str, object]) -> str:
    """The damage behind its letter: ``D2``, but ``D D6``."""
    value = str(weapon.get("D", 1))
    return value if value.isdigit() else f" {value}"


def _numbers(reply: Reply) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    names = ("attacks", "hits", "wounds", "damage", "models slain", "damage wasted")
    values = (reply.attacks, reply.hits, reply.wounds, reply.damage, reply.slain, reply.wasted)
    for name in names:
        table.add_column(name, justify="right")
    table.add_row(*(f"{value.mean:.2f}" for value in values))
    return table


def _chances(reply: Reply) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_row("unit destroyed", f"[bold]{_percent(reply.p_destroyed)}[/]")
    if any(group.get("character") for group in reply.target.groups):
        table.add_row("character slain", _percent(reply.p_character_slain))
    if reply.per_100_points is not None:
        table.add_row("points slain per 100 points", f"{reply.per_100_points:.0f}")
    if reply.attacker_wounds.mean:
        own = f"{reply.attacker_wounds.mean:.2f} wounds, {reply.attacker_slain.mean:.2f} models"
        table.add_row("own losses", own)
    return table


def _worth(reply: Reply) -> Table:
    """What each modifier adds: the answer with it, minus the answer without it."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("what it is worth")
    table.add_column("damage", justify="right")
    table.add_column("destroyed", justify="right")
    for each in reply.worth:
        table.add_row(escape(f"{each.what} ({each.rule})"), f"{each.damage:+.2f}", f"{100 * each.p_destroyed:+.1f} %")
    return table


def _advice(reply: Reply) -> Table:
    """What either player could choose better, and what he gains by it."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for each in reply.advice:
        gain = f" ({each.aim} {each.asked:.3f} → {each.best:.3f})" if abs(each.gain) > 5e-4 else " (no gain)"
        table.add_row(f"{each.player}, {each.about}", escape(each.choose + gain))
    return table


def _percent(share: float) -> str:
    if 0 < share < 0.0005:
        return "< 0.1 %"
    if 0.9995 < share < 1:
        return "> 99.9 %"
    return f"{100 * share:.1f} %"


def _chart(reply: Reply) -> RenderableType:
    """Bars of the models slain, or of the damage where there is only one model."""
    single = sum(group["models"] for group in reply.target.groups) == 1
    dist = {int(value): share for value, share in (reply.damage_dist if single else reply.slain_dist).items()}
    title = "damage" if single else "models slain"
    rows = _grouped(dist)
    highest = max((share for _, share, _ in rows), default=1.0) or 1.0
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(title, justify="right")
    table.add_column("chance", justify="right")
    table.add_column("", min_width=30)
    table.add_column("or more", justify="right", style="dim")
    for name, share, more in rows:
        table.add_row(name, _percent(share), _bar(share / highest, 36), _percent(more))
    return table


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


def _bar(share: float, width: int) -> Text:
    eighths = round(share * width * 8)
    return Text("█" * (eighths // 8) + _BLOCKS[eighths % 8].strip(), style="cyan")


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


def _listing(lines: list[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    last = ""
    for kind, words in lines:
        table.add_row("" if kind == last else kind, escape(words))
        last = kind
    return table
