#!/usr/bin/env python3
"""Writes a checkpoint of TensorFlow (version 2) into the folder OUT: `model.index` and its shards.

Usage: make_tensorflow.py OUT --variables N [--megabytes M]

Variable `layer_0007/kernel` is an HWIO kernel. All of them together have M megabytes, or a kilobyte each without M. A shard
holds at most 1 GB, which is all that this script keeps in memory.
Needs: numpy, tensorflow.
"""
import argparse
from pathlib import Path

import numpy as np
import tensorflow as tf

SHARD_BYTES = 1_000_000_000


def kernel_shape(bytes_: int) -> tuple[int, int, int, int]:
    """An HWIO kernel of about so many bytes."""
    return 3, 3, 16, max(1, bytes_ // (4 * 3 * 3 * 16))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--variables", type=int, required=True)
    parser.add_argument("--megabytes", type=int)
    options = parser.parse_args()
    options.out.mkdir()

    each = (options.megabytes * 1_000_000 // options.variables) if options.megabytes else 1000
    shape = kernel_shape(each)
    random = np.random.default_rng(1)
    in_shard = max(1, SHARD_BYTES // max(1, 4 * int(np.prod(shape))))
    shards = []
    for first in range(0, options.variables, in_shard):
        names = [f"layer_{index:04}/kernel" for index in range(first, min(first + in_shard, options.variables))]
        shards.append(str(options.out / f"part-{first}"))
        tf.raw_ops.SaveV2(
            prefix=shards[-1], tensor_names=names, shape_and_slices=[""] * len(names),
            tensors=[tf.constant(random.standard_normal(shape, dtype=np.float32)) for _ in names])
    tf.raw_ops.MergeV2Checkpoints(
        checkpoint_prefixes=shards, destination_prefix=str(options.out / "model"), delete_old_dirs=False)


if __name__ == "__main__":
    main()
