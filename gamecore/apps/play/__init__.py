"""``gamecore play``: a person against the computer, at a terminal."""
