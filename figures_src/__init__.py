"""Draws every figure of the site from what the core computed, and writes it to `build/`.

A room reads only those above it in this list, and the core:

    kit/        draws: numbers in, markup out
    inputs/     is read, never computed: photographs, captures of the trained model, models, measurements
    player/     the player of the explainer: state, picked row, plates/, film/, folds/
    explorer/   the explorer of the trained model
    pages/      a folder a page, as its Markdown file (index.md is explainer/): figures, facts, exercises
    build.py    everything that `python -m figures_src` makes; save.py writes it, stamp.py keeps its digest
    publish/    Markdown becomes the site: reads what was drawn and the tables of states, imports no page
    by_hand/    what a person makes with a command of its own and commits; nothing imports it

`discovery.py` finds the modules of a room, `source_fault.py` says where one of them is wrong.
"""
