"""Independent, slow, obvious implementations of the titles, written from the rules pages only.

They share no code with `pipeline`: two implementations, one truth, a test between them.
"""
