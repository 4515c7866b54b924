"""Battlewright: reads the rules, knows the odds, plays the battle."""
