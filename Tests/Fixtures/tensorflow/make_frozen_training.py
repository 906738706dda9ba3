"""frozen-training.pb: a graph of TensorFlow 1 that was frozen as it was trained, with what AdamOptimizer keeps.

python make_frozen_training.py FOLDER, with tensorflow.
"""

import os
import pathlib
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def dense(x, count, name):
    with v1.variable_scope(name):
        kernel = v1.get_variable("weights", (x.shape[1], count), initializer=v1.initializers.glorot_uniform(seed=3))
        return tf.matmul(x, kernel) + v1.get_variable("biases", (count,))


def main(folder):
    v1.disable_eager_execution()
    v1.disable_v2_behavior()
    with tf.Graph().as_default() as graph, v1.Session() as session:
        v1.set_random_seed(1)
        x = v1.placeholder(tf.float32, (None, 6), name="x")
        y = v1.placeholder(tf.float32, (None, 4), name="y")
        logits = dense(tf.nn.relu(dense(x, 5, "fc1")), 4, "fc2")
        tf.nn.softmax(logits, name="prob")
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))
        step = v1.train.get_or_create_global_step()
        train = v1.train.AdamOptimizer(0.01).minimize(loss, step, name="train")
        session.run(v1.global_variables_initializer())
        feed = {x: np.random.default_rng(2).random((8, 6)), y: np.eye(4)[np.arange(8) % 4]}
        for _ in range(3):
            session.run(train, feed)
        frozen = v1.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), ["prob", "train"])
        (folder / "frozen-training.pb").write_bytes(frozen.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent))
