#!/usr/bin/env python3
"""Builds the Keras fixtures of attention and what belongs to it, as make_fixtures.py builds the others.

Usage: make_attention.py [OUT_DIR]

Each model is saved by both Kerases in HDF5 (keras2-NAME.h5, keras3-NAME.h5) with its reference (NAME.npz), and by
Keras 3 in its own format (archive-NAME.keras). README.md in this directory says what each one is for.

Keras 2 adds -1e9 to masked scores. In float32 that replaces them, in float64 it does not: where all keys of a query are
masked, its reference would be that of no mask. Such rows are left out of its outputs.
"""
import numpy as np

from make_fixtures import KERASES, OUT, fixture, keras2, keras3, output_names
from make_sequences import archive


def attention_heads(k):
    """Every option of MultiHeadAttention and of its call."""
    L = k.layers
    q, v = L.Input((5, 6), name="steps"), L.Input((7, 4), name="others")
    mask = L.Input((5, 7), name="mask")
    cube = L.Input((2, 5, 7), name="mask_of_heads")
    M = L.MultiHeadAttention
    keys = L.Dense(3, name="keys")(v)
    scored, scores = M(2, 3, name="scored")(q, v, return_attention_scores=True)
    masked, weights = M(2, 3, name="masked_scored")(
        q, v, attention_mask=mask, use_causal_mask=True, return_attention_scores=True)
    outputs = {
        "self": M(2, 3, name="self")(q, q),
        "cross": M(3, 2, name="cross")(q, v),
        "keyed": M(2, 4, name="keyed")(q, v, keys),
        "valued": M(2, 3, value_dim=5, name="valued")(q, v),
        "bare": M(2, 3, use_bias=False, dropout=0.2, name="bare")(q, v),
        "shaped": M(2, 3, output_shape=5, name="shaped")(q, v),
        "shaped_twice": M(2, 3, output_shape=(2, 4), name="shaped_twice")(q, v),
        "axis": M(1, 3, attention_axes=1, name="axis")(q, v),
        "causal": M(2, 3, name="causal")(q, q, use_causal_mask=True),
        "causal_cross": M(2, 3, name="causal_cross")(q, v, use_causal_mask=True),
        "causal_long": M(2, 3, name="causal_long")(v, q, use_causal_mask=True),
        "masked": M(2, 3, name="masked")(q, v, attention_mask=mask),
        "masked_heads": M(2, 3, name="masked_heads")(q, v, attention_mask=cube),
        "scored": scored, "scored/1": scores, "masked_scored": masked, "masked_scored/1": weights,
    }
    twice = M(2, 3, name="twice")
    outputs["twice"], outputs["twice:1"] = twice(q, q), twice(L.Dense(6, name="other")(q), q)
    if k is keras3:
        outputs |= {
            "window": M(2, 3, sliding_window=2, name="window")(q, q),
            "window_causal": M(2, 3, sliding_window=3, name="window_causal")(q, v, use_causal_mask=True),
            "window_long": M(2, 3, sliding_window=1, name="window_long")(v, q),
            "gated": M(2, 3, value_dim=4, use_gate=True, name="gated")(q, v),
        }
    return k.Model([q, v, mask, cube], list(outputs.values()), name="net"), list(outputs)


def attention_groups(k):
    """Query heads that share keys and values."""
    L = k.layers
    q, v = L.Input((5, 6), name="steps"), L.Input((7, 6), name="others")
    mask = L.Input((5, 7), name="mask")
    cube = L.Input((4, 5, 7), name="mask_of_heads")
    G = L.GroupQueryAttention
    scored, scores = G(3, 4, 2, name="scored")(q, v, return_attention_scores=True)
    outputs = {
        "pairs": G(3, 4, 2, name="pairs")(q, v),
        "one": G(2, 3, 1, name="one")(q, q),
        "all": G(2, 3, 3, use_bias=False, name="all")(q, v),
        "threes": G(2, 6, 2, name="threes")(q, v, use_causal_mask=True),
        "gated": G(3, 4, 2, use_gate=True, name="gated")(q, v),
        "window": G(3, 4, 2, sliding_window=2, name="window")(q, v),
        "masked": G(3, 4, 2, name="masked")(q, v, attention_mask=mask),
        "masked_heads": G(3, 4, 2, name="masked_heads")(q, v, attention_mask=cube),
        "scored": scored, "scored/1": scores,
    }
    return k.Model([q, v, mask, cube], list(outputs.values()), name="net"), list(outputs)


def attention_plain(k):
    """Attention without projections."""
    L = k.layers
    q, v, keys = L.Input((5, 6), name="steps"), L.Input((7, 6), name="others"), L.Input((7, 6), name="keys")
    A, S = L.Attention, L.AdditiveAttention
    scored, scores = A(name="scored")([q, v], return_attention_scores=True)
    summed, sums = S(name="summed_scored")([q, v], return_attention_scores=True)
    outputs = {
        "plain": A(name="plain")([q, v]), "keyed": A(name="keyed")([q, v, keys]),
        "scaled": A(use_scale=True, dropout=0.3, name="scaled")([q, v]),
        "joined": A(score_mode="concat", name="joined")([q, v]),
        "joined_scaled": A(use_scale=True, score_mode="concat", name="joined_scaled")([q, v, keys]),
        "causal": A(name="causal")([q, v], use_causal_mask=True),
        "summed": S(name="summed")([q, v]), "summed_keyed": S(name="summed_keyed")([q, v, keys]),
        "summed_plain": S(use_scale=False, name="summed_plain")([q, v], use_causal_mask=True),
        "scored": scored, "scored/1": scores, "summed_scored": summed, "summed_scored/1": sums,
    }
    return k.Model([q, v, keys], list(outputs.values()), name="net"), list(outputs)


def attention_masks(k):
    """Masks of Embedding and Masking in attention; a masked query attends to all keys alike."""
    L = k.layers
    words, steps = L.Input((8,), name="words"), L.Input((8, 4), name="steps")
    x = L.Embedding(11, 4, mask_zero=True, name="vectors")(words)
    s = L.Masking(0.5, name="masking")(steps)
    bare = L.Dense(4, name="bare")(L.Conv1D(4, 3, padding="same", name="conv")(s))
    x2 = L.Embedding(11, 4, mask_zero=True, name="vectors2")(words)
    x3 = L.Embedding(11, 4, mask_zero=True, name="vectors3")(words)
    M = L.MultiHeadAttention
    heads = {
        "self": M(2, 3, name="self")(x, x),
        "values": M(2, 3, name="values")(bare, L.Masking(0.5, name="masking2")(steps)),
        "queries": M(2, 3, name="queries")(x2, bare),
        "keys": M(2, 3, name="keys")(bare, L.Dense(4, name="more")(bare), L.Masking(0.5, name="masking3")(steps)),
        "causal": M(2, 3, name="causal")(x3, x3, use_causal_mask=True),
    }
    y = L.Embedding(11, 4, mask_zero=True, name="words4")(words)
    outputs = {}
    if k is keras3:
        outputs |= heads
    else:
        outputs |= {name: L.GlobalAveragePooling1D(name=f"{name}_mean")(h) if name in ("self", "queries", "causal") else h
                    for name, h in heads.items()}
        outputs = {f"{name}_mean" if name in ("self", "queries", "causal") else name: h for name, h in outputs.items()}
    outputs |= {
        "plain": L.Attention(name="plain")([y, y]),
        "plain_values": L.Attention(name="plain_values")([bare, y], use_causal_mask=True),
        "summed": L.AdditiveAttention(name="summed")([y, s]),
        "after": L.GRU(3, name="after")(L.Attention(name="plain2")([y, y])),
    }
    return k.Model([words, steps], list(outputs.values()), name="net"), list(outputs)


def einsum_dense(k):
    L = k.layers
    steps, images, vector = L.Input((5, 6), name="steps"), L.Input((3, 2, 4), name="images"), L.Input((6,), name="vector")
    E = L.EinsumDense
    outputs = [
        E("ab,bc->ac", output_shape=7, bias_axes="c", activation="relu", name="vector_dense")(vector),
        E("abc,cd->abd", output_shape=(None, 3), bias_axes="d", name="steps_dense")(steps),
        E("...x,xy->...y", output_shape=5, bias_axes="y", name="dots")(steps),
        E("abc,cde->abde", output_shape=(None, 2, 3), bias_axes="de", activation="tanh", name="split")(steps),
        E("abcd,cde->abe", output_shape=(None, 5), bias_axes="e", name="joined")(images),
        E("abcd,cdef->abef", output_shape=(None, 2, 3), name="both")(images),
        E("abc,bcd->ad", output_shape=4, bias_axes="d", name="flat")(steps),
        E("ab,bcd->acd", output_shape=(2, 3), bias_axes="cd", name="grown")(vector),
        E("abcd,de->abce", output_shape=(None, None, 3), activation="softmax", name="last")(images),
    ]
    return k.Model([steps, images, vector], outputs, name="net"), None


def reversible_embedding(k):
    """Tables that are read in both directions."""
    L = k.layers
    words = L.Input((8,), name="words")
    tied = L.ReversibleEmbedding(11, 4, name="tied")
    apart = L.ReversibleEmbedding(11, 4, tie_weights=False, logit_soft_cap=0.5, mask_zero=True, name="apart")
    x, y = tied(words), apart(words)
    outputs = {
        "tied": x, "tied:1": tied(L.Dense(4, name="dense")(x), reverse=True),
        "apart:1": apart(L.Dense(4, name="other")(x), reverse=True), "lstm": L.LSTM(3, name="lstm")(y),
    }
    return k.Model(words, list(outputs.values()), name="net"), list(outputs)


def encode(k, x, heads, width, hidden, name, before=True, causal=False, approximate=None):
    """A layer of a transformer, with its normalisation before or after."""
    L = k.layers
    norm = lambda part: L.LayerNormalization(epsilon=1e-6, name=f"{name}_{part}")
    a = norm("norm1")(x) if before else x
    a = L.MultiHeadAttention(heads, width, dropout=0.1, name=f"{name}_attention")(a, a, use_causal_mask=causal)
    x = L.Add(name=f"{name}_add1")([x, L.Dropout(0.1, name=f"{name}_drop")(a)])
    x = x if before else norm("norm1")(x)
    h = L.Dense(hidden, activation="gelu", name=f"{name}_grow")(norm("norm2")(x) if before else x)
    x = L.Add(name=f"{name}_add2")([x, L.Dense(x.shape[-1], name=f"{name}_shrink")(h)])
    return x if before else norm("norm2")(x)


def positions(count, width):
    """The table of Vaswani et al."""
    angles = np.arange(count)[:, None] / 10000 ** (2 * (np.arange(width)[None] // 2) / width)
    return np.where(np.arange(width) % 2, np.cos(angles), np.sin(angles)).astype(np.float32)


def transformer_image(k):
    """A small ViT: patches, a class token by mean, positions as an array."""
    L = k.layers
    image = L.Input((12, 12, 3), name="image")
    x = L.Conv2D(16, 4, strides=4, name="patches")(image)
    x = L.Reshape((9, 16), name="sequence")(x)
    x = x + positions(9, 16)[None]
    for index in range(3):
        x = encode(k, x, 4, 4, 24, f"block{index}")
    x = L.GlobalAveragePooling1D(name="mean")(L.LayerNormalization(epsilon=1e-6, name="norm")(x))
    return k.Model(image, L.Dense(5, activation="softmax", name="fc")(x), name="net"), None


def transformer_words(k):
    """A BERT-like encoder of words with padding, whose attention has a mask."""
    L = k.layers
    words = L.Input((8,), name="words")
    mask = L.Input((1, 8), name="mask")
    x = L.Embedding(11, 12, name="vectors")(words) + positions(8, 12)
    x = L.LayerNormalization(name="norm")(x)
    for index in range(3):
        a = L.MultiHeadAttention(3, 4, name=f"attention{index}")(x, x, attention_mask=mask)
        x = L.LayerNormalization(name=f"normal{index}")(L.Add(name=f"sum{index}")([x, a]))
        h = L.Dense(12, name=f"shrink{index}")(L.Dense(20, activation="gelu", name=f"grow{index}")(x))
        x = L.LayerNormalization(name=f"last{index}")(L.Add(name=f"add{index}")([x, h]))
    return k.Model([words, mask], [x, L.Dense(2, activation="tanh", name="pooled")(x)], name="net"), None


def transformer_text(k):
    """A small GPT: causal, with probabilities of the next word."""
    L = k.layers
    words = L.Input((8,), name="words")
    x = L.Embedding(11, 12, name="vectors")(words) + positions(8, 12)[None]
    for index in range(3):
        x = encode(k, x, 3, 4, 20, f"block{index}", causal=True)
    x = L.LayerNormalization(epsilon=1e-6, name="norm")(x)
    return k.Model(words, L.Dense(11, activation="softmax", name="next")(x), name="net"), None


BOTH = [attention_heads, attention_plain, attention_masks, einsum_dense, transformer_image, transformer_words,
        transformer_text]
KERAS_3 = [attention_groups, reversible_embedding]


def inputs(model, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Two of each; words end in padding, steps are masked in places, masks let something through but in one row."""
    arrays = {}
    for tensor in model.inputs:
        name, shape = tensor.name.split(":")[0], tensor.shape[1:]
        array = rng.uniform(-1, 1, (2, *shape))
        if name == "words":
            array = rng.integers(1, 10, (2, *shape))
            array[0, -3:], array[1, 5] = 0, 0
        elif name.startswith("mask"):
            array = rng.integers(0, 2, (2, *shape))
            array[..., 0] = 1
            if isinstance(model, keras3.Model) and shape[0] > 1:
                array[0, ..., 2, :] = 0
        elif "masking" in [layer.name for layer in model.layers]:
            array[0, -2:], array[1, 3] = 0.5, 0.5
        arrays[name] = array.astype(np.float32)
    return {"input": next(iter(arrays.values()))} if len(arrays) == 1 else arrays


def main() -> None:
    for build in BOTH + KERAS_3:
        name = build.__name__.replace("_", "-")
        for version, k in KERASES.items():
            if build in KERAS_3 and k is keras2:
                continue
            k.backend.clear_session()
            k.utils.set_random_seed(1)
            model, outputs = build(k)
            model = fixture(f"{version}-{name}", k, model, outputs, inputs=inputs)
            if k is keras3:
                archive(name, model)


if __name__ == "__main__":
    main()
