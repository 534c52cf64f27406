# Written by `npm run format` from the schemas of the interface; npm run check compares.
"""What is written from the schemas of the interface."""
