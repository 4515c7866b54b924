"""``python -m battlewright`` is the installed command."""

from battlewright.cli import main

main()
