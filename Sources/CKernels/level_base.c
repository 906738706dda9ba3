// What every CPU of its kind has; on x86-64 that is SSE2, 16 registers of 4 values. A product needs a register
// of its own there, which leaves 8 for the tile.
#define LEVEL base
#define LANES 4
#define TILE_ROWS 4
#define TILE_VECTORS 2
#include "kernels/kernels.inc.h"
