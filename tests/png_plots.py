# png_plots.py PNG SVG: fails if the first is not a picture of the second: twice as large, with
# something dark where each text of the SVG begins, the colour of each box of it, and nothing but
# white along its edges.
import re
import struct
import sys
import zlib


def decode(name):
    data = open(name, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    at, palette, packed = 8, None, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        if kind == b"PLTE":
            palette = [tuple(body[i : i + 3]) for i in range(0, length, 3)]
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    assert depth == 8 and colour in (2, 3)
    size = 3 if colour == 2 else 1
    raw, rows = zlib.decompress(packed), []
    for y in range(height):
        row = raw[y * (width * size + 1) : (y + 1) * (width * size + 1)]
        assert row[0] == 0, "a filtered row"
        rows.append([palette[c] for c in row[1:]] if palette else [tuple(row[1 + 3 * x : 4 + 3 * x]) for x in range(width)])
    return width, height, rows


def dark(rows, left, top, right, bottom):
    return sum(sum(rows[y][x]) < 384 for y in range(top, bottom) for x in range(left, right))


width, height, rows = decode(sys.argv[1])
svg = open(sys.argv[2], encoding="utf-8").read()
size = re.search(r'width="(\d+)" height="(\d+)"', svg)
assert abs(width - 2 * int(size[1])) <= 2 and abs(height - 2 * int(size[2])) <= 2, "another size"
white = (255, 255, 255)
assert all(p == white for y in (0, 1, -2, -1) for p in rows[y]), "clipped above or below"
assert all(row[x] == white for row in rows for x in (0, 1, -2, -1)), "clipped at a side"
seen = set(p for row in rows for p in row)
for colour in re.findall(r'<rect x=[^>]*fill="#(......)"', svg):
    assert tuple(bytes.fromhex(colour)) in seen, "no " + colour
texts = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" font-size="(\d+)"([^>]*)>([^<]+)<', svg)
assert len(texts) > 5
for x, y, size, rest, text in texts:
    if "middle" in rest or "transform" in rest:
        continue
    x, y, size = float(x) * 2, float(y) * 2, int(size) * 2
    if "anchor" in rest:
        x -= 6 * len(text)
    count = dark(rows, int(x), int(y - size), int(x + 6 * len(text)), int(y + 2))
    assert count > 12 * len(text.replace(" ", "")), (text, count)
