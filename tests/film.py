# film.py PNG FRAMES: fails if the picture is not animated, of so many frames, each a part of the
# canvas, in order; prints what the last frame looks like: how many pixels each colour has.
import collections
import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
at, frames, number, kinds = 8, 0, 0, []
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at : at + 8])
    body = data[at + 8 : at + 8 + length]
    sealed = struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0]
    assert zlib.crc32(kind + body) == sealed, kind
    at += 12 + length
    kinds.append(kind)
    if kind == b"IHDR":
        width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        assert (depth, colour) == (8, 3)
        canvas = [bytearray(b"\xff" * width) for _ in range(height)]
    if kind == b"acTL":
        promised, loops = struct.unpack(">II", body)
        assert loops == 0, "it must go on for ever"
    if kind == b"fcTL":
        order, w, h, x, y = struct.unpack(">5I", body[:20])
        assert order == number and x + w <= width and y + h <= height and w and h
        number += 1
        frames += 1
    if kind == b"fdAT":
        assert struct.unpack(">I", body[:4])[0] == number, "out of order"
        number += 1
    if kind in (b"IDAT", b"fdAT"):
        raw = zlib.decompress(body[4:] if kind == b"fdAT" else body)
        assert len(raw) == (w + 1) * h
        for row in range(h):
            canvas[y + row][x : x + w] = raw[row * (w + 1) + 1 : (row + 1) * (w + 1)]
assert kinds[:3] == [b"IHDR", b"acTL", b"PLTE"] and kinds[-1] == b"IEND", kinds
assert frames == promised == int(sys.argv[2]), (frames, promised)
print(dict(sorted(collections.Counter(b"".join(canvas)).items())))
