#!/usr/bin/env python3
"""Makes HDF5 files of every kind that h5py writes, and says what is in them, for a test to compare.

Usage: make_files.py [--latest] FOLDER COUNT [SEED]
       make_files.py --packed FILE COUNT [SEED]

Each NUMBER.h5 comes with NUMBER.txt: its objects, links, attributes, types, shapes, and a checksum of each dataset's
values as float64, as h5py reads them. With --packed all files, smaller ones, are one after the other in FILE, and what is in them
in FILE.txt, where a line `file START END` stands before each. With --latest
files are as new as this libhdf5 can write, and need one that is as new. What decides is the number and the seed alone.
Needs: h5py, numpy.
"""
import pathlib
import random
import sys

import h5py
import numpy as np

# What is newer libhdf5 1.10 cannot read.
VERSIONS = ["earliest", "v108", "v110"]
NUMBERS = ["f2", "f4", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
# Those that netconv undoes, and those that it refuses by name.
FILTERS = [{}, {"compression": "gzip"}, {"compression": "gzip", "compression_opts": 9, "shuffle": True},
           {"shuffle": True}, {"fletcher32": True},
           {"compression": "gzip", "shuffle": True, "fletcher32": True}, {"compression": "lzf"}]
WORDS = ["kernel:0", "bias", "gamma", "vars", "0", "a b", "Gr\u00fc\u00dfe", "\u4e16\u754c", "x" * 60, "layer.1"]


# MARK: Making

class Maker:
    def __init__(self, path, number, seed, small=False):
        self.small = small
        self.random = random.Random(f"{seed} {number}")
        self.numpy = np.random.default_rng([seed, number])
        self.path = path

    def chance(self, probability):
        return self.random.random() < probability

    def file(self):
        low = self.random.randrange(len(VERSIONS))
        high = max(1, self.random.randrange(low, len(VERSIONS)))
        options = {"libver": (VERSIONS[min(low, high)], VERSIONS[high]), "track_order": self.chance(0.4)}
        block = self.random.choice([0, 0, 0, 512, 512 if self.small else 2048])
        if self.chance(0.1):
            creation = h5py.h5p.create(h5py.h5p.FILE_CREATE)
            creation.set_sizes(self.random.choice([4, 8]), self.random.choice([4, 8]))
            creation.set_userblock(block)
            access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
            access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
            return h5py.File(h5py.h5f.create(str(self.path).encode(), h5py.h5f.ACC_TRUNC, creation, access))
        if low >= 2 and self.chance(0.1):
            options.update(fs_strategy="page", fs_page_size=512)
        return h5py.File(self.path, "w", userblock_size=block, **options)

    def make(self):
        with self.file() as file:
            self.fill(file, file, depth=self.random.choice([0, 1] if self.small else [0, 1, 1, 2, 2, 3]))
            if self.chance(0.02 if self.small else 0.05):
                group = file
                for level in range(self.random.randint(20, 100)):
                    group = group.create_group(self.random.choice("abc") + str(level % 3))
                self.dataset(group, "deep")
        for _ in range(self.random.randrange(3)):
            with h5py.File(self.path, "r+", libver=(self.random.choice(["earliest", VERSIONS[-1]]), VERSIONS[-1])) as file:
                self.change(file)
        if h5py.h5f.open(str(self.path).encode(), h5py.h5f.ACC_RDONLY).get_create_plist().get_userblock():
            with open(self.path, "r+b") as file:
                file.write(self.random.choice([b"", b"user block", b"\x89HDF but no signature"]))

    def name(self, group):
        for _ in range(100):
            name = self.random.choice(WORDS) + self.random.choice(["", "", "_1", "_2", str(self.random.random())])
            if name not in group:
                return name
        return str(self.random.random())

    def fill(self, file, group, depth):
        self.attributes(group)
        for _ in range(self.random.choice([0, 1, 2] if self.small else [0, 1, 2, 3, 5] + [20] * (depth > 1))):
            self.dataset(group, self.name(group))
        for _ in range(self.random.choice([0, 0, 1, 2])):
            self.link(file, group)
        if depth > 0:
            for _ in range(self.random.choice([1, 2, 3])):
                self.fill(file, group.create_group(self.name(group), track_order=self.chance(0.4)), depth - 1)

    def link(self, file, group):
        names = []
        file.visit(names.append)
        target = "/" + self.random.choice(names) if names else "/"
        kind = self.random.randrange(4)
        if kind == 0:
            group[self.name(group)] = file[target]
        elif kind == 1:
            group[self.name(group)] = h5py.SoftLink(self.random.choice([target, "nowhere", "./here/../x"]))
        elif kind == 2:
            group[self.name(group)] = h5py.ExternalLink("other.h5", target)
        else:
            group[self.name(group)] = np.dtype(self.random.choice(NUMBERS))

    def values(self, shape, code):
        kind = np.dtype(code)
        if kind.kind == "f":
            return self.numpy.normal(size=shape).astype(kind)
        limits = np.iinfo(kind)
        return self.numpy.integers(limits.min, limits.max, size=shape, dtype=kind.newbyteorder("="), endpoint=True)

    def attribute(self):
        text = lambda: "".join(self.random.choice(WORDS) for _ in range(self.random.choice([0, 1, 3, 30])))
        shape = self.random.choice([(), (1,), (3,), (2, 3), (0,), (3,) if self.small else (40,)])
        kind = self.random.randrange(9)
        if kind == 0:
            return text()
        if kind == 1:
            return np.array([text() for _ in range(int(np.prod(shape)))], h5py.string_dtype()).reshape(shape)
        if kind == 2:
            return np.array([text().encode() for _ in range(int(np.prod(shape)))], "S40").reshape(shape)
        if kind == 3:
            return np.array(text().encode()[:30], h5py.string_dtype("utf-8", 30))
        if kind == 4:
            return self.random.choice([True, np.array([True, False])])
        if kind == 5:
            return h5py.Empty(self.random.choice(["f4", "i4", "S10"]))
        if kind == 6:
            return self.random.choice([np.complex64(1 + 2j), np.array([(1, 2.5)], [("a", "i4"), ("b", "f4")])])
        # Whole numbers above 2^63 are words in netconv.
        code = self.random.choice(["<", ">"]) + self.random.choice(NUMBERS[:-1])
        return self.values(shape, code).astype(code)

    def attributes(self, thing):
        many = self.chance(0.04 if self.small else 0.2)
        for _ in range(self.random.choice([0, 0, 1, 2, 4, 12, 40] if many else [0, 0, 1, 2])):
            thing.attrs[self.name(thing.attrs)] = self.attribute()

    def dataset(self, group, name):
        code = self.random.choice(["<", ">"]) + self.random.choice(NUMBERS)
        shape = tuple(self.random.choice([1, 2, 3, 7, 16, 33]) for _ in range(self.random.choice([0, 1, 1, 2, 2, 3, 4])))
        while np.prod(shape) > (150 if self.small else 20_000):
            shape = shape[1:]
        if self.chance(0.03):
            shape = (0, *shape[1:])
        values = self.values(shape, code).astype(code)
        kind = self.random.randrange(10)
        if kind < 3 or not shape or 0 in shape:
            data = group.create_dataset(name, data=values)
        elif kind < 4:
            data = self.compact(group, name, values)
        elif kind < 5:
            data = group.create_dataset(name, shape, code, fillvalue=self.random.choice([0, 1, 7]))
            if self.chance(0.3):
                data[...] = values
        elif kind < 6:
            data = self.other(group, name)
        else:
            data = self.chunked(group, name, values, code)
        self.attributes(data)

    def compact(self, group, name, values):
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_layout(h5py.h5d.COMPACT if values.nbytes < 60_000 else h5py.h5d.CONTIGUOUS)
        identifier = h5py.h5d.create(group.id, name.encode(), h5py.h5t.py_create(values.dtype),
                                     h5py.h5s.create_simple(values.shape), dcpl=creation)
        data = h5py.Dataset(identifier)
        data[...] = values
        return data

    def other(self, group, name):
        """What netconv does not read."""
        kind = self.random.randrange(4)
        if kind == 0:
            return group.create_dataset(name, data=["one", "Gr\u00fc\u00dfe", ""])
        if kind == 1:
            return group.create_dataset(name, data=np.array([(1, 2.5)], [("a", "i4"), ("b", "f4")]))
        if kind == 2:
            return group.create_dataset(name, data=h5py.Empty("f4"))
        data = group.create_dataset(name, (3,), h5py.vlen_dtype(np.int32))
        data[0] = [1, 2, 3]
        return data

    def chunked(self, group, name, values, code):
        shape = values.shape
        chunk = tuple(self.random.choice([1, max(1, size // 3), size, size if size < 4 else size - 1]) for size in shape)
        while np.prod([-(-a // b) for a, b in zip(shape, chunk)]) > (12 if self.small else 400):
            chunk = tuple(min(size, 2 * step) for size, step in zip(shape, chunk))
        most = self.random.choice([None, tuple(None for _ in shape), (None, *shape[1:]), tuple(2 * s for s in shape)])
        data = group.create_dataset(name, shape, code, chunks=chunk, maxshape=most, fillvalue=self.random.choice([None, 3]),
                                    **self.random.choice(FILTERS))
        kind = self.random.randrange(4)
        if kind < 3:
            data[...] = values
        else:
            # Other chunks are never written.
            data[0] = values[0]
        if most is not None and self.chance(0.6):
            sizes = [self.random.choice([1, size, size + 1, 2 * size]) for size in shape]
            data.resize([min(a, b) if b else a for a, b in zip(sizes, most)])
        return data

    def change(self, file):
        names = []
        file.visit(names.append)
        for name in self.random.sample(names, min(len(names), 4)):
            if name not in file:
                continue
            thing = file[name]
            kind = self.random.randrange(4)
            if kind == 0:
                del file[name]
                # What is new takes the place of what has gone.
                self.dataset(file, name.split("/")[0] + "-again" + str(self.random.random()))
            elif kind == 1:
                for attribute in list(thing.attrs)[:3]:
                    del thing.attrs[attribute]
                self.attributes(thing)
            elif kind == 2 and isinstance(thing, h5py.Dataset) and thing.dtype.kind in "fiu" and thing.shape:
                thing[...] = self.values(thing.shape, thing.dtype)
            else:
                for attribute in list(thing.attrs)[:2]:
                    thing.attrs[attribute] = self.attribute()


# MARK: Describing

def word(text):
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    return data.hex() or "-"


def sizes(shape):
    return "x".join(str(size) for size in shape) or "scalar"


def checksum(values):
    """The sum of the bits of each value as float64, times 1, 3, 5, …, without what does not fit in 64 bits."""
    bits = np.ascontiguousarray(values, np.float64).reshape(-1).view(np.uint64)
    with np.errstate(over="ignore"):
        return int((bits * (2 * np.arange(bits.size, dtype=np.uint64) + 1)).sum(dtype=np.uint64))


def described_attribute(thing, name):
    attribute = thing.attrs.get_id(name)
    kind, shape = attribute.dtype, attribute.shape
    if attribute.get_space().get_simple_extent_type() == h5py.h5s.NULL:
        return "empty"
    stored = attribute.get_type()
    if isinstance(stored, h5py.h5t.TypeStringID):
        values = np.asarray(thing.attrs[name], object).reshape(-1)
        padding = stored.is_variable_str() or stored.get_strpad() == h5py.h5t.STR_NULLTERM
        texts = [v.encode("utf-8", "surrogateescape") if isinstance(v, str) else bytes(v) for v in values]
        texts = [t.split(b"\0")[0] if padding else t.rstrip(b"\0") for t in texts]
        texts = [t.decode("utf-8", "replace") for t in texts]
        return f"strings {sizes(shape)} " + " ".join(word(t) for t in texts)
    if kind.kind == "b":
        return f"integers {sizes(shape)} " + " ".join(str(int(v)) for v in np.asarray(thing.attrs[name]).reshape(-1))
    if kind.kind in "iu" and isinstance(stored, h5py.h5t.TypeIntegerID):
        return f"integers {sizes(shape)} " + " ".join(str(v) for v in np.asarray(thing.attrs[name]).reshape(-1))
    if kind.kind == "f":
        bits = np.asarray(thing.attrs[name], np.float64).reshape(-1).view(np.uint64)
        return f"floats {sizes(shape)} " + " ".join(str(v) for v in bits)
    return "unsupported"


def described_dataset(data):
    kind = data.dtype
    if data.shape is None or kind.kind not in "fiu" or kind.subdtype or h5py.check_vlen_dtype(kind):
        return "no numbers"
    order = "big" if kind.byteorder == ">" else "little"
    name = {"f": "float", "i": "int", "u": "uint"}[kind.kind] + str(8 * kind.itemsize)
    head = f"{name} {order if kind.itemsize > 1 else '-'} {sizes(data.shape)}"
    if data.compression == "lzf":
        return f"{head} refused"
    return f"{head} {checksum(data[()])}"


def made(path, number, seed, small=False):
    """Makes a file, and says what is in it; None if libhdf5 cannot read what it has written.

    1.14.6 does not with a few: "didn't find unlimited dimension".
    """
    try:
        Maker(path, number, seed, small).make()
        return objects(path)
    except (KeyError, OSError, RuntimeError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        return None


def objects(path):
    """Each object once, at its shortest path, which is the first one when names are in the order of their bytes."""
    lines, places, waiting = {}, {}, []
    with h5py.File(path) as file:
        def address(identifier):
            info = h5py.h5o.get_info(identifier)
            return info.addr if hasattr(info, "addr") else info.token

        def add(identifier, at):
            places[address(identifier)] = at
            kind = h5py.h5i.get_type(identifier)
            thing = {h5py.h5i.GROUP: h5py.Group, h5py.h5i.DATASET: h5py.Dataset,
                     h5py.h5i.DATATYPE: h5py.Datatype}[kind](identifier)
            head = {h5py.h5i.GROUP: "group", h5py.h5i.DATASET: "dataset", h5py.h5i.DATATYPE: "type"}[kind]
            if kind == h5py.h5i.DATASET:
                head += " " + described_dataset(thing)
            lines[at] = [f"{head}"] + sorted(f" @{word(n)} {described_attribute(thing, n)}" for n in thing.attrs)
            if kind == h5py.h5i.GROUP:
                waiting.append((thing, at))

        add(file["/"].id, b"/")
        while waiting:
            group, at = waiting.pop(0)
            names = [n.encode("utf-8", "surrogateescape") if isinstance(n, str) else n for n in group]
            for name in sorted(names):
                link = group.get(name.decode("utf-8", "surrogateescape"), getlink=True)
                if isinstance(link, h5py.SoftLink):
                    target = f"soft {word(link.path)}"
                elif isinstance(link, h5py.ExternalLink):
                    target = f"external {word(link.filename)} {word(link.path)}"
                else:
                    identifier = h5py.h5o.open(group.id, name)
                    target = "object"
                    if address(identifier) in places:
                        target = f"alias {word(places[address(identifier)])}"
                    else:
                        add(identifier, (at if at == b"/" else at + b"/") + name)
                lines[at].append(f" -{word(name)} {target}")
    return "".join(f"{word(at)} " + "\n".join(lines[at]) + "\n" for at in sorted(lines))


def main():
    packed = sys.argv[1] == "--packed"
    if sys.argv[1] == "--latest":
        VERSIONS.append("latest")
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    target, count = pathlib.Path(arguments[0]), int(arguments[1])
    seed = int(arguments[2]) if len(arguments) > 2 else 1
    if not packed:
        target.mkdir(parents=True, exist_ok=True)
        for number in range(count):
            path = target / f"{number}.h5"
            text = made(path, number, seed)
            if text is None:
                path.unlink(missing_ok=True)
            else:
                path.with_suffix(".txt").write_text(text)
        return
    start, texts = 0, []
    with open(target, "wb") as pack:
        for number in range(count):
            path = target.with_suffix(".h5")
            text = made(path, number, seed, small=True)
            data = path.read_bytes()
            path.unlink()
            if text is not None:
                texts.append(f"file {start} {start + len(data)}\n" + text)
                pack.write(data)
                start += len(data)
    target.with_name(target.name + ".txt").write_text("".join(texts))


if __name__ == "__main__":
    main()
