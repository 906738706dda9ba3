"""Writes small files that claim to be huge, each compressed once more, so that they are small here too.

Usage: python make_bombs.py; writes beside this script.
"""
import gzip
import io
import pathlib
import struct
import zipfile
import zlib

import h5py

HERE = pathlib.Path(__file__).parent
MIB = 1 << 20


def deflated_zeros(count: int) -> bytes:
    compressor = zlib.compressobj(9)
    parts = [compressor.compress(bytes(MIB)) for _ in range(count // MIB)]
    return b"".join(parts) + compressor.flush()


def write(name: str, contents: bytes) -> None:
    (HERE / (name + ".gz")).write_bytes(gzip.compress(contents, 9, mtime=0))


def weights(kernel) -> bytes:
    """A file of weights with one layer, whose kernel is made by a function of its group."""
    file = io.BytesIO()
    with h5py.File(file, "w", libver="earliest") as h5:
        group = h5.create_group("layers/dense/vars")
        kernel(group)
        group.create_dataset("1", data=[0.5] * 4, dtype="f4")
    return file.getvalue()


def one_chunk(group) -> None:
    """A chunk of 1 GiB, in a megabyte."""
    values = group.create_dataset("0", (1 << 26, 4), "f4", chunks=(1 << 26, 4), compression="gzip")
    values.id.write_direct_chunk((0, 0), deflated_zeros(1 << 30))


def large_chunk(group) -> None:
    """A chunk of 128 MiB, in 130 kB."""
    values = group.create_dataset("0", (1 << 23, 4), "f4", chunks=(1 << 23, 4), compression="gzip")
    values.id.write_direct_chunk((0, 0), deflated_zeros(1 << 27))


def never_written(group) -> None:
    """4 TiB of the fill value."""
    group.create_dataset("0", (1 << 38, 4), "f4")


def chunks_never_written(group) -> None:
    """The same in chunks that are not there."""
    group.create_dataset("0", (1 << 38, 4), "f4", chunks=(1 << 16, 4))


def fill_value(group) -> None:
    """200 MiB of the fill value, which are written out."""
    group.create_dataset("0", (50 * MIB // 4, 4), "f4", fillvalue=0.25)


def archive(contents: list) -> bytes:
    """A ZIP archive of entries: names, and bytes or the number of zeros that they are."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as entries:
        for entry, value in contents:
            info = zipfile.ZipInfo(entry)
            info.compress_type = zipfile.ZIP_DEFLATED
            with entries.open(info, "w", force_zip64=True) as output:
                if isinstance(value, bytes):
                    output.write(value)
                    continue
                start, count = value
                output.write(start)
                for _ in range(count // MIB):
                    output.write(bytes(MIB))
    return file.getvalue()


def npy(shape: str) -> bytes:
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    text = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))

    compressor = zlib.compressobj(9)
    rows = b"".join(compressor.compress(bytes(1 + 3 * width)) for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", rows + compressor.flush()) + chunk(b"IEND", b""))


def main() -> None:
    for kernel in (one_chunk, large_chunk, never_written, chunks_never_written, fill_value):
        write(kernel.__name__.replace("_", "-") + ".weights.h5", weights(kernel))
    write("inflating.keras", archive([
        ("config.json", b"{}"), ("metadata.json", b"{}"), ("model.weights.h5", (b"", 1 << 29))]))
    write("inflating.npz", archive([("x.npy", (npy(f"({1 << 26}, 2)"), 1 << 29))]))
    write("blank.png", png(8000, 8000))
    write("images.gz", gzipped_images())


def gzipped_images() -> bytes:
    """IDX of 512 MiB, as `gzip` writes it."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    header = bytes([0, 0, 8, 3]) + struct.pack(">III", 1 << 9, 1 << 10, 1 << 10)
    parts = [compressor.compress(header)]
    parts += [compressor.compress(bytes(MIB)) for _ in range(1 << 9)]
    return b"".join(parts) + compressor.flush()


if __name__ == "__main__":
    main()
