#!/usr/bin/env python3
"""Writes small pictures of every kind that netconv reads, and `pictures.npz`: what Pillow and numpy see in them.

Usage: make_pictures.py
Needs: numpy, pillow.

An array of `pictures.npz` is called after its file and holds (height, width, channels), values from 0 to 255: those of 16 bits
are divided by 257. Pictures with an orientation are there as they are seen.
"""
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms, ImageOps

HERE = Path(__file__).resolve().parent
# All sizes differ, so that no exchange of axes goes unseen.
HEIGHT, WIDTH = 5, 7
expected: dict[str, np.ndarray] = {}


def samples(channels: int, bits: int = 8) -> np.ndarray:
    random = np.random.default_rng(channels * 100 + bits)
    return random.integers(0, 1 << bits, (HEIGHT, WIDTH, channels),
                           dtype=np.uint16 if bits > 8 else np.uint8)


def expect(name: str, values: np.ndarray) -> None:
    values = (values if values.ndim == 3 else values[..., None]).astype(np.float32)
    # Where Pillow can say it, too, both have to say the same.
    assert name not in expected or np.array_equal(values, expected[name]), name
    expected[name] = values


def seen(name: str, mode: str | None = None) -> None:
    """What Pillow sees in a file, upright."""
    with Image.open(HERE / name) as picture:
        picture = ImageOps.exif_transpose(picture)
        expect(name, np.asarray(picture.convert(mode) if mode else picture))


# PNG, whose chunks are written here: Pillow writes neither 16 bits of colour nor interlaced pictures.

def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(name: str, rows: list[bytes], bits: int, colour: int, before: bytes = b"", behind: bytes = b"",
        interlaced: bool = False, width: int = WIDTH, height: int = HEIGHT) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, int(interlaced))
    data = zlib.compress(b"".join(b"\0" + row for row in rows))
    content = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before + chunk(b"IDAT", data) + behind
               + chunk(b"IEND", b""))
    (HERE / name).write_bytes(content)
    return content


def big_endian(values: np.ndarray) -> list[bytes]:
    return [row.astype(">u2" if values.dtype == np.uint16 else "u1").tobytes() for row in values]


def packed(values: np.ndarray, bits: int) -> list[bytes]:
    """Rows of samples of fewer bits than a byte has."""
    rows = []
    for row in values:
        digits = "".join(f"{value:0{bits}b}" for value in row)
        digits += "0" * (-len(digits) % 8)
        rows.append(bytes(int(digits[at:at + 8], 2) for at in range(0, len(digits), 8)))
    return rows


# Of an interlaced picture: the first row and column of each, and the steps.
PASSES = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]


def adam7(values: np.ndarray) -> list[bytes]:
    """The rows of the seven passes of an interlaced picture."""
    rows = []
    for y, x, down, right in PASSES:
        part = values[y::down, x::right]
        if part.size:
            rows += big_endian(part)
    return rows


def exif(orientation: int, order: str = "<") -> bytes:
    mark = b"II*\0" if order == "<" else b"MM\0*"
    return (mark + struct.pack(order + "I", 8) + struct.pack(order + "H", 2)
            + struct.pack(order + "HHIHH", 0x0100, 3, 1, WIDTH, 0)
            + struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0) + struct.pack(order + "I", 0))


def write_png() -> None:
    for bits in (8, 16):
        for channels, colour in [(1, 0), (2, 4), (3, 2), (4, 6)]:
            name = f"{'gray rgb'.split()[channels > 2]}{'-alpha' * (channels % 2 == 0)}-{bits}.png"
            values = samples(channels, bits)
            png(name, big_endian(values), bits, colour)
            expect(name, values / (257 if bits == 16 else 1))
            if bits == 8:
                seen(name)
    for bits in (1, 2, 4):
        values = samples(1)[..., 0] >> (8 - bits)
        png(f"gray-{bits}.png", packed(values, bits), bits, 0)
        expect(f"gray-{bits}.png", values * (255 // ((1 << bits) - 1)))
    palette = samples(3).reshape(-1, 3)[:11]
    indices = samples(1)[..., 0] % len(palette)
    png("palette.png", packed(indices, 4), 4, 3, before=chunk(b"PLTE", palette.tobytes()))
    expect("palette.png", palette[indices])
    seen("palette.png", "RGB")
    opacity = np.full(len(palette), 255, np.uint8)
    opacity[:3] = [0, 90, 200]
    png("palette-alpha.png", packed(indices, 4), 4, 3,
        before=chunk(b"PLTE", palette.tobytes()) + chunk(b"tRNS", opacity[:3].tobytes()))
    expect("palette-alpha.png", np.concatenate([palette[indices], opacity[indices][..., None]], axis=-1))
    seen("palette-alpha.png", "RGBA")
    values = samples(3)
    png("interlaced.png", adam7(values), 8, 2, interlaced=True)
    expect("interlaced.png", values)
    seen("interlaced.png")
    png("turned.png", big_endian(values), 8, 2, before=chunk(b"eXIf", exif(6, ">")))
    seen("turned.png")
    png("gamma.png", big_endian(values), 8, 2, before=chunk(b"gAMA", struct.pack(">I", 100_000)))
    expect("gamma.png", values)
    for name, profile in [("srgb", ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()),
                          ("lab", ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes())]:
        data = name.encode() + b"\0\0" + zlib.compress(renamed(profile, name))
        png(f"profile-{name}.png", big_endian(values), 8, 2, before=chunk(b"iCCP", data))
        expect(f"profile-{name}.png", values)


def renamed(profile: bytes, name: str) -> bytes:
    """A profile for RGB that calls itself something else, in the form of version 2."""
    # The time at which a profile was made.
    profile = profile[:24] + bytes(12) + profile[36:]
    if name == "srgb":
        return profile
    text = b"Display Q7"
    description = b"desc" + bytes(4) + struct.pack(">I", len(text) + 1) + text + bytes(1 + 78)
    size = 128 + 4 + 12 + len(description)
    header = bytearray(profile[:128])
    header[0:4] = struct.pack(">I", size)
    header[12:16], header[16:20] = b"mntr", b"RGB "
    return bytes(header) + struct.pack(">I", 1) + b"desc" + struct.pack(">II", 144, len(description)) + description


# JPEG

def smooth(channels: int, height: int = 19, width: int = 23) -> Image.Image:
    y, x = np.mgrid[0:height, 0:width]
    planes = [127 + 120 * np.sin(x / (3 + k) + k) * np.cos(y / (4 - k)) for k in range(channels)]
    values = np.stack(planes, axis=-1).astype(np.uint8)
    return Image.fromarray(values[..., 0] if channels == 1 else values)


def write_jpeg() -> None:
    smooth(1).save(HERE / "gray.jpg", quality=90)
    smooth(3).save(HERE / "colour.jpg", quality=90, subsampling=0)
    smooth(3).save(HERE / "subsampled.jpg", quality=80, subsampling=2)
    smooth(3).save(HERE / "progressive.jpg", quality=85, progressive=True)
    for name in ("gray", "colour", "subsampled", "progressive"):
        seen(f"{name}.jpg")
    for orientation in range(1, 9):
        smooth(3).save(HERE / f"orientation-{orientation}.jpg", quality=90, subsampling=0,
                       exif=b"Exif\0\0" + exif(orientation))
        seen(f"orientation-{orientation}.jpg")
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    smooth(3).save(HERE / "profile.jpg", quality=90, icc_profile=renamed(profile, "other"))
    seen("profile.jpg")
    smooth(3).convert("CMYK").save(HERE / "refused-cmyk.jpg", quality=90)
    whole = (HERE / "colour.jpg").read_bytes()
    (HERE / "refused-cut.jpg").write_bytes(whole[:len(whole) * 2 // 3])
    (HERE / "extra.jpg").write_bytes(whole[:-2] + b"extra" + whole[-2:])
    seen("extra.jpg")


# PGM and PPM

def write_maps() -> None:
    gray, colour = samples(1), samples(3)
    (HERE / "gray.pgm").write_bytes(b"P5\n# a comment\n7 5 255\n" + gray.tobytes())
    (HERE / "colour.ppm").write_bytes(b"P6 7 5\n255\n" + colour.tobytes())
    (HERE / "plain.pgm").write_text("P2\n7 5 # width and height\n255\n" + " ".join(map(str, gray.ravel())) + "\n")
    (HERE / "plain.ppm").write_text("P3 7 5 255\n" + "\n".join(map(str, colour.ravel())))
    for name, values in [("gray.pgm", gray), ("colour.ppm", colour), ("plain.pgm", gray), ("plain.ppm", colour)]:
        expect(name, values)
        seen(name)
    wide = samples(3, 16) % 1001
    (HERE / "thousand.ppm").write_bytes(b"P6\n7 5\n1000\n" + wide.astype(">u2").tobytes())
    expect("thousand.ppm", wide * np.float32(255 / 1000))


# What has to be refused

def write_refused() -> None:
    values = samples(3)
    whole = png("refused-checksum.png", big_endian(values), 8, 2)
    broken = bytearray(whole)
    broken[whole.index(b"IEND") - 5] ^= 1  # of the checksum
    (HERE / "refused-checksum.png").write_bytes(broken)
    (HERE / "refused-cut.png").write_bytes(whole[:len(whole) - 30])
    png("refused-huge.png", [b""], 8, 2, width=1 << 20, height=1 << 20)
    (HERE / "refused-huge.ppm").write_bytes(b"P6 99999999 99999999 255\n")
    (HERE / "refused-short.ppm").write_bytes(b"P6 7 5 255\n" + values.tobytes()[:-1])
    (HERE / "refused-two.pgm").write_bytes((b"P5 7 5 255\n" + samples(1).tobytes()) * 2)
    (HERE / "refused-sample.pgm").write_bytes(b"P5 1 1 100\n\xc8")
    (HERE / "refused-number.pgm").write_bytes(b"P2 1 1 255 12x\n")
    (HERE / "refused-bitmap.pbm").write_bytes(b"P4 8 1\n\xff")
    smooth(3).save(HERE / "refused.gif")
    (HERE / "refused-scans.jpg").write_bytes(scans())


def scans() -> bytes:
    """Eight by eight black pixels in 253 scans: each coefficient a scan of its own, and three more that make it finer."""
    def segment(kind: int, data: bytes) -> bytes:
        return bytes([0xFF, kind]) + struct.pack(">H", len(data) + 2) + data

    def scan(first: int, last: int, high: int, low: int) -> bytes:
        return segment(0xDA, bytes([1, 1, 0, first, last, high << 4 | low])) + b"\x7f"

    # Each table has one code of one bit: no difference, or the end of the block.
    tables = b"".join(segment(0xC4, bytes([kind << 4, 1] + 16 * [0])) for kind in (0, 1))
    return (b"\xff\xd8" + segment(0xDB, b"\0" + bytes(64 * [1]))
            + segment(0xC2, struct.pack(">BHHBBBB", 8, 8, 8, 1, 1, 0x11, 0)) + tables + scan(0, 0, 0, 0)
            + b"".join(scan(at, at, 0, 3) + b"".join(scan(at, at, low + 1, low) for low in (2, 1, 0))
                       for at in range(1, 64)) + b"\xff\xd9")


def write_slow() -> None:
    """A small file, and as many values as netconv reads: 10,000 x 10,000 pixels of gray and alpha, interlaced."""
    side = 10_000
    data = zlib.compressobj(9)
    content = b""
    for y, x, down, right in PASSES:
        columns, rows = -(-(side - x) // right), -(-(side - y) // down)
        content += data.compress(bytes(rows * (1 + -(-columns // 8))))
    content += data.flush()
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 1)
    (HERE / "slow.png").write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"tRNS", b"\0\1") + chunk(b"IDAT", content)
        + chunk(b"IEND", b""))


def main() -> None:
    write_png()
    write_jpeg()
    write_maps()
    write_refused()
    write_slow()
    np.savez_compressed(HERE / "pictures.npz", **expected)


if __name__ == "__main__":
    main()
