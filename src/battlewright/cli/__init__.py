"""The ``battlewright`` command: a table of thin commands, each loaded only when it is called.

Exit status: 0 done, 2 the input is at fault (one line a fault on standard error), 1 anything else.
"""

from __future__ import annotations

import importlib
import os
import sys

import click

from battlewright.errors import BadInput, Fault, RulesError

#: command name -> (module, one line of help). The module has a click command called ``command``.
COMMANDS: dict[str, tuple[str, str]] = {
    "odds": ("battlewright.cli.odds", "The exact odds of one unit attacking another."),
    "read": ("battlewright.cli.read", "Read a datasheet page, a catalogue or a roster, and say what was not read."),
    "understand": ("battlewright.cli.understand", "Compile rules texts, and say what was not understood."),
    "roster": ("battlewright.cli.roster", "Print a list, its points and every fault of it."),
    "battle": ("battlewright.cli.battle", "Play a whole battle."),
    "replay": ("battlewright.cli.replay", "Play a recorded battle again."),
    "position": ("battlewright.cli.position", "Set up a moment of a battle; list the legal choices."),
    "catalogue": ("battlewright.cli.catalogue", "Add, list or remove catalogues of your own."),
    "reference": ("battlewright.cli.reference", "A datasheet at a glance, and the stratagems that can touch it."),
    "find": ("battlewright.cli.find", "Find datasheets by keyword or faction."),
    "schema": ("battlewright.cli.schema", "The JSON Schema of one of our forms."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when called, so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="battlewright")
def group() -> None:
    """Reads Warhammer 40,000 rules, knows the odds, plays the battle. 10th and 11th edition."""


def main() -> None:
    """Run the command; faults of the input go to standard error, one line each, with status 2."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # our matrices are small: threads only wait for each other
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        status = group.main(standalone_mode=False)  # what ctx.exit was given; None when a command just returned
        if isinstance(status, int) and status:
            sys.exit(status)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort:
        sys.exit(1)
    except click.ClickException as error:
        _tell(Fault(error.format_message(), ""))
        sys.exit(2)
    except BadInput as error:
        for fault in error.faults:
            _tell(fault)
        sys.exit(2)
    except RulesError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:  # a name no file can have, a folder that may not be entered
        _tell(Fault(error.strerror or type(error).__name__, str(error.filename or "")))
        sys.exit(2)


def _tell(fault: Fault) -> None:
    """A fault in one line, whatever stands in its words."""
    click.echo(" ".join(f"{fault.what} @ {fault.where or 'command line'}".split()), err=True)
