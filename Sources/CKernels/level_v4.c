// AVX-512: 32 registers of 16 values. 16 hold the tile, 2 a row of the panel; more rows would have more
// pointers than there are general registers.
#if defined(__x86_64__)

#pragma clang attribute push( \
  __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"))), apply_to = function)
#define LEVEL v4
#define LANES 16
#define TILE_ROWS 8
#define TILE_VECTORS 2
#include "kernels/kernels.inc.h"
#pragma clang attribute pop

#endif
