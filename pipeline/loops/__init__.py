"""The loops over games: one file to replay, one to play. They know no title; see `pipeline.kernels`."""
