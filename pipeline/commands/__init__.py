"""What each command of `plybook` does, in plain functions that return its exit code.

0: all good; 1: some records were rejected (and listed); 2: wrong usage, or nothing usable.
"""

GOOD, SOME_REJECTED, UNUSABLE = 0, 1, 2
