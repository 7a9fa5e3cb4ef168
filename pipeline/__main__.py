"""`python -m pipeline` is the command `plybook`."""

from pipeline.cli import main

main()
