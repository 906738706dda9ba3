#!/usr/bin/env python3
"""Writes classes.json: every public class of `keras.layers` of both Kerases.

Usage: make_classes.py [OUT_DIR]
"""
import inspect
import json
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["KERAS_BACKEND"] = "tensorflow"

import keras as keras3
import tf_keras as keras2

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
names = {
    name
    for k in (keras2, keras3)
    for name, value in vars(k.layers).items()
    if inspect.isclass(value) and issubclass(value, k.layers.Layer)
}
(OUT / "classes.json").write_text(json.dumps(sorted(names), indent=1) + "\n")
