"""Style sheets that follow from the plates: what shows at which stage, and on paper."""
