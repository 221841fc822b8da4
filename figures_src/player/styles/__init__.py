"""Style sheets that follow from the plates, on screen and on paper, and the sizes of the marks."""
