"""What scipy, Pillow, TensorFlow and numpy make of a picture, for each step; no formula of netconv's own."""
import math

import numpy as np
from PIL import Image
from scipy.ndimage import correlate1d

LUMA = np.array([0.299, 0.587, 0.114])
PILLOW = {"nearest": Image.Resampling.NEAREST, "bilinear": Image.Resampling.BILINEAR,
          "area": Image.Resampling.BOX, "bicubic": Image.Resampling.BICUBIC}


def correlated(x, taps):
    for axis in (0, 1):
        x = correlate1d(x, taps, axis=axis, mode="nearest")
    return x


def gaussian(x, radius, sigma=None):
    if radius == 0:
        return x
    reach, sigma = math.ceil(radius), sigma or radius / 2
    taps = np.exp(-np.arange(-reach, reach + 1) ** 2 / (2 * sigma ** 2))
    return correlated(x, taps / taps.sum())


def box(x, radius):
    return correlated(x, np.full(2 * radius + 1, 1 / (2 * radius + 1)))


def saturation(x, factor):
    gray = x @ LUMA
    return gray[..., None] + factor * (x - gray[..., None])


def tensorflow(x, width, height, method):
    import tensorflow as tf

    return tf.image.resize(x.astype(np.float32), (height, width), method=method).numpy()


def pillow(x, width, height, method):
    """Channel by channel, since Pillow has floats for one only."""
    planes = [Image.fromarray(x[..., c].astype(np.float32)).resize((width, height), PILLOW[method])
              for c in range(x.shape[2])]
    return np.stack([np.asarray(plane) for plane in planes], axis=2)


def straight(x, change):
    """A change of a picture with alpha: of colours that are multiplied with it, which are then divided by it."""
    alpha = x[..., -1:]
    y = change(np.concatenate([x[..., :-1] * alpha, alpha], axis=2))
    opacity = y[..., -1:]
    colours = np.divide(y[..., :-1], opacity, out=np.zeros_like(y[..., :-1]), where=opacity > 0)
    return np.concatenate([colours, np.clip(opacity, 0, 255)], axis=2)


def srgb_to_linear(x):
    v = x / 255
    return 255 * np.where(v <= 0.04045, v / 12.92, ((np.maximum(v, 0) + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(x):
    v = x / 255
    return 255 * np.where(v <= 0.0031308, v * 12.92, 1.055 * np.maximum(v, 0) ** (1 / 2.4) - 0.055)
