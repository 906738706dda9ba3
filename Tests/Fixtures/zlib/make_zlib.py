"""Writes small compressed streams and archives, made by Python's zlib, gzip and zipfile.

    python make_zlib.py    (standard library only)

`text.*` hold TEXT, so that the tests need no other file to compare with.
"""
import gzip
import io
import pathlib
import zipfile
import zlib

FOLDER = pathlib.Path(__file__).parent
TEXT = b"".join(b"%d bottles of beer on the wall, %d bottles of beer\n" % (n, n) for n in range(20, 0, -1))


def deflate(data):
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    return stream.compress(data) + stream.flush()


def named_gzip(data):
    """With the optional fields of the header: a name and a time."""
    buffer = io.BytesIO()
    with gzip.GzipFile("bottles.txt", "wb", 9, buffer, mtime=1) as file:
        file.write(data)
    return buffer.getvalue()


def archive():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, method, data in [
            ("stored.txt", zipfile.ZIP_STORED, b"hello"),
            ("deflated.txt", zipfile.ZIP_DEFLATED, TEXT),
            ("größe/empty", zipfile.ZIP_STORED, b""),
            ("packed.txt", zipfile.ZIP_BZIP2, b"hello"),
        ]:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            file.writestr(info, data)
        file.comment = b"with a comment"
    return buffer.getvalue()


(FOLDER / "text.deflate").write_bytes(deflate(TEXT))
(FOLDER / "text.gz").write_bytes(gzip.compress(TEXT, mtime=0))
(FOLDER / "named.gz").write_bytes(named_gzip(TEXT))
(FOLDER / "python.zip").write_bytes(archive())
