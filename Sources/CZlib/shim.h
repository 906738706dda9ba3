#ifndef NETCONV_CZLIB_SHIM_H
#define NETCONV_CZLIB_SHIM_H

#include <zlib.h>

// deflateInit2 and inflateInit2 are macros that add zlib's version and the size of z_stream; Swift
// imports no function-like macros.

static inline int netconv_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

static inline int netconv_deflate_init(z_stream *stream, int level, int window_bits) {
  return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

#endif
