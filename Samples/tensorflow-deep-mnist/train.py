#!/usr/bin/env python3
"""Trains the network of the "Deep MNIST" tutorial of TensorFlow 1 and saves it in TensorFlow's own formats.

Usage: train.py IDX_DIR [OUT] [--steps N] [--threads N]

IDX_DIR holds the MNIST files, plain or gzipped: train-*, t10k-* and, if the 60,000 training images
were split, valid-*. OUT is the folder `trained` unless given; it gets

    model.ckpt.*    a checkpoint of version 2, and its meta graph
    checkpoint      which names it
    graph.pb        the frozen graph, from `x` to `probabilities`
    saved_model/    a SavedModel; `keep_prob` is an input of its signature

The variables have no names of their own, as in the tutorial: TensorFlow calls them Variable to Variable_7.
Needs: tensorflow (or tensorflow-cpu), numpy.
"""
import argparse
import os
import shutil
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mnist"))

import mnist
import numpy as np
import tensorflow.compat.v1 as tf

SEED = 20
BATCH = 50


def load(directory: Path, parts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Images as rows of 784 pixels, and their digits."""
    images, labels = mnist.load(directory, parts)
    return images.reshape(len(images), -1), labels.astype(np.int64)


def weights(*shape: int) -> tf.Variable:
    return tf.Variable(tf.truncated_normal(shape, stddev=0.1))


def biases(count: int) -> tf.Variable:
    return tf.Variable(tf.constant(0.1, shape=[count]))


def convolution(x: tf.Tensor, inputs: int, outputs: int) -> tf.Tensor:
    """A convolution of 5 x 5 with rectifiers, and half as many rows and columns."""
    kernel, bias = weights(5, 5, inputs, outputs), biases(outputs)
    x = tf.nn.relu(tf.nn.conv2d(x, kernel, strides=[1, 1, 1, 1], padding="SAME") + bias)
    return tf.nn.max_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")


def dense(x: tf.Tensor, inputs: int, outputs: int) -> tf.Tensor:
    kernel, bias = weights(inputs, outputs), biases(outputs)
    return tf.matmul(x, kernel) + bias


def make_network() -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """The images, the probability of the dropout, and the logits."""
    x = tf.placeholder(tf.float32, [None, 784], name="x")
    image = tf.reshape(x, [-1, 28, 28, 1])
    pooled = convolution(convolution(image, 1, 32), 32, 64)
    hidden = tf.nn.relu(dense(tf.reshape(pooled, [-1, 7 * 7 * 64]), 7 * 7 * 64, 1024))
    keep_prob = tf.placeholder(tf.float32, name="keep_prob")
    return x, keep_prob, dense(tf.nn.dropout(hidden, keep_prob=keep_prob), 1024, 10)


def batches(count: int, steps: int):
    """Places of images: all once in a random order, then again in another."""
    rng = np.random.default_rng(SEED)
    order = np.array([], int)
    for _ in range(steps):
        if len(order) < BATCH:
            order = np.concatenate([order, rng.permutation(count)])
        yield order[:BATCH]
        order = order[BATCH:]


def save(session: tf.Session, out: Path, x: tf.Tensor, keep_prob: tf.Tensor, result: tf.Tensor) -> None:
    out.mkdir(parents=True, exist_ok=True)
    tf.train.Saver(save_relative_paths=True).save(session, str(out / "model.ckpt"))
    frozen = tf.graph_util.convert_variables_to_constants(session, session.graph_def, [result.op.name])
    (out / "graph.pb").write_bytes(frozen.SerializeToString())
    shutil.rmtree(out / "saved_model", ignore_errors=True)
    tf.saved_model.simple_save(session, str(out / "saved_model"), {"x": x, "keep_prob": keep_prob},
                               {"probabilities": result})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("idx_dir", type=Path)
    parser.add_argument("out", type=Path, nargs="?", default=Path("trained"))
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()

    # It is all of TensorFlow 1, which TensorFlow 2 says at every call.
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.disable_v2_behavior()
    tf.set_random_seed(SEED)
    parts = mnist.training_parts(args.idx_dir)
    images, labels = load(args.idx_dir, parts)
    test_images, test_labels = load(args.idx_dir, ["t10k"])

    x, keep_prob, logits = make_network()
    probabilities = tf.nn.softmax(logits, name="probabilities")
    label = tf.placeholder(tf.int64, [None], name="label")
    loss = tf.losses.sparse_softmax_cross_entropy(label, logits)
    train_step = tf.train.AdamOptimizer(1e-3).minimize(loss)
    rights = tf.reduce_sum(tf.cast(tf.equal(tf.argmax(logits, 1), label), tf.int32))

    config = tf.ConfigProto(intra_op_parallelism_threads=args.threads, inter_op_parallelism_threads=1)
    with tf.Session(config=config) as session:
        session.run(tf.global_variables_initializer())
        for step, chosen in enumerate(batches(len(images), args.steps), 1):
            feeds = {x: images[chosen], label: labels[chosen], keep_prob: 0.5}
            _, value = session.run([train_step, loss], feeds)
            if step % 500 == 0:
                print(f"step {step}: loss {value:.4f}", flush=True)
        right = sum(session.run(rights, {x: test_images[start:start + 500], label: test_labels[start:start + 500],
                                         keep_prob: 1.0}) for start in range(0, len(test_images), 500))
        save(session, args.out, x, keep_prob, probabilities)
    print(f"{args.out}: test accuracy {right / len(test_labels):.4f} ({right} of {len(test_labels)}), "
          f"tensorflow {tf.__version__}, numpy {np.__version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
