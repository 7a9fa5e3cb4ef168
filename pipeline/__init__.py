"""Plybook: records of tabletop games in, balance reports out. Importing this does no work."""
