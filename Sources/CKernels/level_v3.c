// AVX2 and FMA: 16 registers of 8 values. 12 hold the tile, 2 a row of the panel, 2 the broadcasts.
#if defined(__x86_64__)

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define LEVEL v3
#define LANES 8
#define TILE_ROWS 6
#define TILE_VECTORS 2
#include "kernels/kernels.inc.h"
#pragma clang attribute pop

#endif
