"""A battle for people's eyes: a picture of the table as SVG or text, a report of what happened. Pure: reads and draws."""
