"""What can be wrong with a page or a notebook, each rule with file, line and what to do."""
