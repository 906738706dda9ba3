// NEON: 32 registers of 4 values. 24 hold the tile, 4 a row of the panel, the rest the left side.
#if defined(__aarch64__)

#define LEVEL neon
#define LANES 4
#define TILE_ROWS 6
#define TILE_VECTORS 4
#include "kernels/kernels.inc.h"

#endif
