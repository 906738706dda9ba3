#!/bin/sh
# What netconv wrote before its SHA-256 came from libcrypto: every later state reads it unchanged.
#
# Usage: make.sh NETCONV, in this folder, with the netconv of that time.
set -eu
source=../keras/keras2-flatten-bn.h5
"$1" convert $source folder --goldens 2 --formats bin,archive,safetensors,npz --quiet
"$1" convert $source half --target torch --dtype float16 --quiet
"$1" convert ../keras/keras2-batch-norm.h5 folded.netpack --fold-batch-norm --goldens 1 --quiet
"$1" convert $source integers --target source --dtype int8 --formats bin --quiet
"$1" convert $source model.safetensors --target mlx --quiet
"$1" probe probe --quiet
