#ifndef NETCONV_CZLIB_SHIM_H
#define NETCONV_CZLIB_SHIM_H

#include <zlib.h>

// inflateInit2 is a macro that adds zlib's version and the size of z_stream; Swift imports no
// function-like macros.

static inline int netconv_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

#endif
