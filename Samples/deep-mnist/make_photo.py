#!/usr/bin/env python3
"""Writes a picture of a digit on paper as a camera would see it: photo.jpg, 320 x 240.

Usage: python make_photo.py photo.jpg
Blue ink on yellowish paper, turned a little, in light that falls from the left; blurred, with noise.
"""
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

WIDTH, HEIGHT = 640, 480
STROKE = [(250, 110), (390, 105), (375, 160), (330, 260), (300, 375)]
PEN = 13

ink = Image.new("L", (WIDTH, HEIGHT), 0)
draw = ImageDraw.Draw(ink)
draw.line(STROKE, fill=255, width=2 * PEN, joint="curve")
for x, y in STROKE:
    draw.ellipse([x - PEN, y - PEN, x + PEN, y + PEN], fill=255)
opacity = np.asarray(ink.rotate(-6, resample=Image.BICUBIC).filter(ImageFilter.GaussianBlur(3))) / 255

y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
light = 0.55 + 0.4 * np.exp(-(((x - 180) / 420) ** 2 + ((y - 120) / 330) ** 2))
paper, blue = (np.array(colour)[:, None, None] for colour in ((246, 240, 226), (38, 44, 92)))
seen = (paper * (1 - opacity) + blue * opacity) * light
seen += np.random.default_rng(7).normal(0, 6, seen.shape)
picture = Image.fromarray(seen.clip(0, 255).astype(np.uint8).transpose(1, 2, 0))
picture.filter(ImageFilter.GaussianBlur(1.2)).resize((WIDTH // 2, HEIGHT // 2)).save(sys.argv[1], quality=80)
