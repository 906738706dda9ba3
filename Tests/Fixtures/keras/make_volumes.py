#!/usr/bin/env python3
"""Builds the Keras fixtures of layers for volumes. JAX computes them: TensorFlow pools no volumes of float64.

Usage: make_volumes.py [OUT_DIR]

Writes the same files as make_channels_first.py. README.md in this directory says what each one is for.
"""
from make_channels_first import FIRST, write


def volumes(k):
    """Convolutions and poolings, with all sizes different."""
    L = k.layers
    volume = L.Input((5, 6, 7, 4), name="volume")
    outputs = [
        L.Conv3D(5, (2, 3, 4), activation="relu", name="valid")(volume),
        L.Conv3D(3, (3, 2, 1), padding="same", use_bias=False, name="same")(volume),
        L.Conv3D(4, (2, 3, 3), strides=(2, 1, 3), padding="same", activation="softmax", name="strided")(volume),
        L.Conv3D(2, (2, 2, 3), dilation_rate=(3, 2, 1), name="dilated")(volume),
        L.Conv3D(6, (1, 2, 3), groups=2, padding="same", name="groups")(volume),
        L.Conv3D(8, (3, 1, 2), groups=4, name="depthwise")(volume),
        L.Conv3DTranspose(3, (3, 2, 4), name="transposed")(volume),
        L.Conv3DTranspose(2, (2, 3, 3), strides=(2, 3, 1), padding="same", activation="elu",
                          name="transposed_same")(volume),
        L.Conv3DTranspose(2, (4, 3, 2), strides=(3, 2, 2), output_padding=(2, 0, 1), use_bias=False,
                          name="transposed_more")(volume),
        L.MaxPooling3D((2, 3, 2), name="max")(volume),
        L.MaxPooling3D((3, 2, 4), strides=(2, 1, 3), padding="same", name="max_same")(volume),
        L.AveragePooling3D((2, 2, 3), name="mean")(volume),
        L.AveragePooling3D((3, 4, 2), strides=(1, 2, 2), padding="same", name="mean_same")(volume),
        L.GlobalAveragePooling3D(name="mean_all")(volume),
        L.GlobalMaxPooling3D(keepdims=True, name="max_all")(volume),
    ]
    return k.Model(volume, outputs, name="net")


def volume_shapes(k):
    """Borders, enlargement, and what is flattened."""
    L = k.layers
    volume = L.Input((3, 4, 5, 2), name="volume")
    x = L.SpatialDropout3D(0.5, name="dropped")(volume)
    x = L.BatchNormalization(name="norm")(x)
    padded = L.ZeroPadding3D(((1, 0), (2, 3), (0, 1)), name="pad")(x)
    return k.Model(volume, [
        L.ZeroPadding3D(name="pad_one")(x), L.ZeroPadding3D((1, 0, 2), name="pad_each")(x),
        L.Cropping3D(name="crop_one")(padded),
        L.Cropping3D(((1, 0), (2, 1), (0, 3)), name="crop")(padded),
        L.UpSampling3D((2, 1, 3), name="up")(x), L.UpSampling3D(name="up_two")(x),
        L.Conv3D(3, 2, name="conv")(padded),
        L.Dense(4, name="fc")(L.Flatten(name="flatten")(L.Conv3D(3, (2, 1, 2), name="behind")(x))),
        L.PReLU(shared_axes=[1, 2], name="prelu")(x), L.Permute((2, 3, 1, 4), name="moved")(x),
        L.Add(name="sum")([x, L.Conv3D(2, 3, padding="same", name="inner")(x)]),
        L.Concatenate(axis=1, name="deeper")([x, x]),
    ], name="net")


def volume_lstm(k):
    L = k.layers
    film = L.Input((3, 4, 3, 5, 2), name="film")
    return k.Model(film, [
        L.ConvLSTM3D(2, (2, 3, 2), padding="same", recurrent_activation="sigmoid", return_sequences=True,
                     name="same")(film),
        L.ConvLSTM3D(3, (2, 1, 3), strides=(2, 1, 1), recurrent_activation="sigmoid", go_backwards=True,
                     name="valid")(film),
    ], name="net")


def volume_adaptive(k):
    L = k.layers
    volume = L.Input((5, 4, 7, 2), name="volume")
    return k.Model(volume, [
        L.AdaptiveAveragePooling3D((2, 3, 4), name="mean")(volume),
        L.AdaptiveMaxPooling3D((3, 6, 2), name="max")(volume),
    ], name="net")


def volume_unet(k):
    """A small U-Net of volumes."""
    L = k.layers
    volume = L.Input((8, 8, 8, 1), name="volume")
    a = L.Conv3D(4, 3, padding="same", activation="relu", name="enter")(volume)
    b = L.MaxPooling3D(2, name="down")(a)
    b = L.Conv3D(8, 3, padding="same", name="inner")(b)
    b = L.ReLU(name="relu")(L.BatchNormalization(name="norm")(b))
    b = L.Conv3DTranspose(4, 2, strides=2, name="up")(b)
    x = L.Concatenate(name="skip")([a, b])
    return k.Model(volume, L.Conv3D(2, 1, activation="softmax", name="classes")(x), name="net")


def first_volumes(k):
    """Volumes with the channels first."""
    L = k.layers
    volume = L.Input((3, 5, 6, 7), name="volume")
    x = a = L.Conv3D(4, (2, 3, 2), strides=(2, 1, 1), padding="same", activation="softmax", name="conv", **FIRST)(volume)
    x = L.MaxPooling3D((1, 2, 3), name="max", **FIRST)(x)
    x = L.Conv3DTranspose(2, (2, 2, 1), strides=(2, 1, 2), name="transposed", **FIRST)(x)
    x = L.ZeroPadding3D(((1, 0), (2, 1), (0, 1)), name="pad", **FIRST)(x)
    x = L.AveragePooling3D(2, padding="same", name="mean", **FIRST)(x)
    x = L.UpSampling3D((1, 2, 1), name="up", **FIRST)(x)
    x = L.Cropping3D(((0, 1), (1, 2), (1, 0)), name="crop", **FIRST)(x)
    flat = L.Flatten(name="flatten", data_format="channels_last")(a)
    return k.Model(volume, [
        x, L.GlobalAveragePooling3D(name="squeeze", **FIRST)(a), L.GlobalMaxPooling3D(keepdims=True, name="kept", **FIRST)(a),
        L.Dense(3, name="fc")(flat), L.BatchNormalization(axis=1, name="norm")(a),
    ], name="net")


def main() -> None:
    for build in [volumes, volume_shapes, volume_lstm, volume_adaptive, volume_unet, first_volumes]:
        # tf_keras has no adaptive pooling.
        write(build.__name__.replace("_", "-"), build, with_keras2=build is not volume_adaptive)


if __name__ == "__main__":
    main()
