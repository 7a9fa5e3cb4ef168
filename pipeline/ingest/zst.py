"""A zstd file unpacked block by block, so that what stands before damage or a cut is kept.

The library's own stream reader takes the end of the bytes for the end of the file, wherever it is, and
gives nothing of a call in which it meets damage. The form of frames and blocks is that of RFC 8878.
"""

from __future__ import annotations

from typing import IO

import zstandard

MAGIC = b"\x28\xb5\x2f\xfd"
SKIPPED = 0x184D2A50
"""The magic number of frames without content; its last four bits are free."""
RUN = 1
"""The block type that is one byte, repeated."""
CHECKSUM = 4
CHECKSUM_BYTES = 4


class ZstReader:
    """The uncompressed bytes of a zstd file of one or more frames.

    `read1` raises EOFError when a frame is not whole, OSError when something else stands behind one,
    and ZstdError when a block is damaged; the bytes before that have been handed out then.
    """

    def __init__(self, raw: IO[bytes]) -> None:
        self.raw = raw
        self.frame: zstandard.ZstdDecompressionObj | None = None
        self.checksum = False
        self.ending = False

    def read1(self, size: int = -1) -> bytes:
        """The next block's bytes, at most 128 KiB whatever the size; none at the end of the file."""
        while self.frame is not None or self._next_frame():
            if self.ending:
                self._end_frame()
            elif data := self._next_block():
                return data
        return b""

    def _exactly(self, size: int) -> bytes:
        data = self.raw.read(size)
        if len(data) < size:
            raise EOFError("its last frame is not whole")
        return data

    def _next_frame(self) -> bool:
        """Begin a frame; False at the end of the file."""
        magic = self.raw.read(len(MAGIC))
        while len(magic) == len(MAGIC) and int.from_bytes(magic, "little") & ~15 == SKIPPED:
            left = int.from_bytes(self._exactly(4), "little")
            while left:
                left -= len(self._exactly(min(left, 1 << 16)))
            magic = self.raw.read(len(MAGIC))
        if not magic:
            return False
        if magic != MAGIC:
            if len(magic) < len(MAGIC):
                raise EOFError("its last frame is not whole")
            raise OSError("something that is not zstd stands behind a frame")
        shape = self._exactly(1)[0]
        one_segment = bool(shape >> 5 & 1)
        window = 0 if one_segment else 1
        dictionary = (0, 1, 2, 4)[shape & 3]
        content = (int(one_segment), 2, 4, 8)[shape >> 6]
        self.checksum = bool(shape & CHECKSUM)
        self.frame = zstandard.ZstdDecompressor().decompressobj()
        self.frame.decompress(magic + bytes([shape]) + self._exactly(window + dictionary + content))
        return True

    def _next_block(self) -> bytes:
        assert self.frame is not None
        head = self._exactly(3)
        shape = int.from_bytes(head, "little")
        last, kind, size = shape & 1, shape >> 1 & 3, shape >> 3
        data = self.frame.decompress(head + self._exactly(1 if kind == RUN else size))
        # A wrong checksum must not take the last block with it.
        self.ending = bool(last)
        return data

    def _end_frame(self) -> None:
        assert self.frame is not None
        frame, self.frame, self.ending = self.frame, None, False
        if self.checksum:
            frame.decompress(self._exactly(CHECKSUM_BYTES))
