// The matrix product of one level, blocked as in Goto and van de Geijn, "Anatomy of High-Performance Matrix
// Multiplication" (2008), without packing the left side: its rows are read where the image holds them.

#define TILE_COLUMNS (TILE_VECTORS * LANES)

enum {
  /// The most rows that are done before the next: with their share of the depth they stay in the L2 cache.
  ROW_BLOCK = 192 / TILE_ROWS * TILE_ROWS,
  /// The most of the depth that is summed at once: that much of a panel stays in the L1 cache (24 KiB).
  DEPTH_BLOCK = 24 * 1024 / (TILE_COLUMNS * 4),
  /// Values of a cache line.
  LINE = 16,
  /// Panels that a single row does at once: one has too few sums to hide the latency of an addition.
  ROW_PANELS = 4,
};

/// A stretch of the depth of one panel, and where its results go.
typedef struct {
  const ptrdiff_t *offsets;
  ptrdiff_t depth;
  const float *b;
  /// The distance to the next panel.
  ptrdiff_t panel_stride;
  const float *bias;
  /// What the sums start with besides the bias: the addend, or what the stretch before has left in `c`.
  const float *start;
  float *c;
  /// The distance of rows in `start` and `c`.
  ptrdiff_t c_stride;
  /// Columns that exist from here on.
  ptrdiff_t columns;
  /// Whether the sum starts here, and whether it ends here.
  int is_first, is_last;
  float lowest, highest;
} block;

/// Copies the columns of a tile that exist between the result and a whole tile.
INLINE void copy_columns(const float *from, float *to, ptrdiff_t columns) {
  for (ptrdiff_t n = 0; n < columns; n++) to[n] = from[n];
}

INLINE vector clamp(vector x, float lowest, float highest) {
  vector lower = lowest, upper = highest;
  // In this order a NaN is on the side that the comparison does not choose against.
  x = lower > x ? lower : x;
  return upper < x ? upper : x;
}

/// The sums of a tile before its first product.
INLINE void start_tile(
  const int rows, const int vectors, const block *job, const float *start, ptrdiff_t stride,
  vector *sum
) {
  if (job->is_first)
    UNROLL for (int i = 0; i < rows * vectors; i++)
      sum[i] = *(const vector *)(job->bias + i % vectors * LANES);
  else
    UNROLL for (int i = 0; i < rows * vectors; i++) sum[i] = 0;
  if (!start) return;
  UNROLL for (int i = 0; i < rows * vectors; i++)
    sum[i] += *(const vector *)(start + i / vectors * stride + i % vectors * LANES);
}

/// Adds the products of the stretch to the sums of a tile; this loop is where the time goes.
INLINE void multiply(
  const int rows, const int vectors, const float *const *a, const block *job, vector *sum
) {
  const float *row[TILE_ROWS];
  UNROLL for (int r = 0; r < rows; r++) row[r] = a[r];
  const float *b = job->b;
  const ptrdiff_t *offsets = job->offsets, *const end = offsets + job->depth;
#pragma clang loop unroll_count(2)
  for (; offsets != end; offsets++, b += TILE_COLUMNS) {
    const ptrdiff_t offset = *offsets;
    vector right[ROW_PANELS * TILE_VECTORS];
    UNROLL for (int v = 0; v < vectors; v++)
      right[v] = *(const vector *)(
        b + v / TILE_VECTORS * job->panel_stride + v % TILE_VECTORS * LANES);
    UNROLL for (int r = 0; r < rows; r++) {
      const vector left = row[r][offset];
      UNROLL for (int v = 0; v < vectors; v++) sum[r * vectors + v] += left * right[v];
    }
  }
}

/// `rows` and `panels` are constants wherever this is called, so that all loops over the tile unroll; more
/// panels than one must all be whole.
INLINE void multiply_tile(
  const int rows, const int panels, const float *const *a, const block *job
) {
  const int vectors = panels * TILE_VECTORS, count = rows * vectors;
  // A panel that is not whole is done beside the result.
  const int whole = job->columns >= TILE_COLUMNS;
  float edge[TILE_ROWS * TILE_COLUMNS];
  float *c = whole ? job->c : edge;
  const float *start = whole || !job->start ? job->start : edge;
  const ptrdiff_t stride = whole ? job->c_stride : TILE_COLUMNS;
  for (int r = 0; !whole && job->start && r < rows; r++)
    copy_columns(job->start + r * job->c_stride, edge + r * TILE_COLUMNS, job->columns);

  vector sum[TILE_ROWS * TILE_VECTORS];
  start_tile(rows, vectors, job, start, stride, sum);
  multiply(rows, vectors, a, job, sum);
  if (job->is_last)
    UNROLL for (int i = 0; i < count; i++) sum[i] = clamp(sum[i], job->lowest, job->highest);
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int v = 0; v < vectors; v++)
      *(vector *)(c + r * stride + v * LANES) = sum[r * vectors + v];
  for (int r = 0; !whole && r < rows; r++)
    copy_columns(edge + r * TILE_COLUMNS, job->c + r * job->c_stride, job->columns);
}

/// Moves the results of `job` by some rows.
INLINE void skip_rows(block *job, ptrdiff_t rows) {
  job->c += rows * job->c_stride;
  if (job->start) job->start += rows * job->c_stride;
}

/// Moves on by some panels.
INLINE void skip_panels(block *job, ptrdiff_t panels) {
  const ptrdiff_t columns = panels * TILE_COLUMNS;
  job->b += panels * job->panel_stride;
  job->bias += columns;
  job->c += columns;
  if (job->start) job->start += columns;
  job->columns -= columns;
}

/// One tile of at most TILE_ROWS rows.
static void multiply_some_rows(const float *const *rows, ptrdiff_t count, const block *job) {
#define TILE(height)                                                                           \
  if (height <= TILE_ROWS && count == height) {                                                \
    multiply_tile(height <= TILE_ROWS ? height : 1, 1, rows, job);                             \
    return;                                                                                    \
  }
  TILE(8) TILE(7) TILE(6) TILE(5) TILE(4) TILE(3) TILE(2)
#undef TILE
}

/// Tiles over `count` rows of one panel, of nearly equal height: a low one has too few sums to hide the latency
/// of an addition.
static void multiply_rows(const float *const *rows, ptrdiff_t count, block job) {
  const ptrdiff_t tiles = (count + TILE_ROWS - 1) / TILE_ROWS;
  // So many tiles are a row higher than the others.
  ptrdiff_t higher = count % tiles;
  const float *next = job.b + job.panel_stride;
  // A low panel is done before it would pay.
  const ptrdiff_t prefetched = job.depth < 64 ? 0 : (job.depth + tiles - 1) / tiles * TILE_COLUMNS;
  for (ptrdiff_t row = 0, height = count / tiles + (higher > 0); row < count; row += height) {
    if (row > 0 && higher-- == 1) height--;
    // The next panel is on its way to the L2 cache while this one is multiplied.
    for (const float *end = next + prefetched; next < end; next += LINE)
      __builtin_prefetch(next, 0, 1);
    multiply_some_rows(rows + row, height, &job);
    skip_rows(&job, height);
  }
}

/// Where the first tap of each row lies.
static void locate_rows(
  const netconv_gemm *job, ptrdiff_t first, ptrdiff_t count, const float **rows
) {
  const ptrdiff_t height = job->image_pixels / job->row_pixels;
  ptrdiff_t image = first / job->image_pixels, pixel = first % job->image_pixels;
  ptrdiff_t y = pixel / job->row_pixels, x = pixel % job->row_pixels;
  for (ptrdiff_t located = 0; located < count; x = 0) {
    const float *row = job->a + image * job->image_stride + y * job->row_stride;
    for (; x < job->row_pixels && located < count; x++) rows[located++] = row + x * job->pixel_stride;
    if (++y < height) continue;
    y = 0;
    image++;
  }
}

/// One row of the panels from `job` on.
static void multiply_row(const float *const *row, ptrdiff_t panels, block job) {
  while (panels > 0) {
    const int several = panels >= ROW_PANELS && job.columns >= ROW_PANELS * TILE_COLUMNS;
    const ptrdiff_t step = several ? ROW_PANELS : 1;
    if (several)
      multiply_tile(1, ROW_PANELS, row, &job);
    else
      multiply_tile(1, 1, row, &job);
    panels -= step;
    skip_panels(&job, step);
  }
}

/// All rows of all panels from `job` on.
static void multiply_stretch(
  const float *const *rows, ptrdiff_t count, ptrdiff_t panels, block job
) {
  if (count == 1) {
    multiply_row(rows, panels, job);
    return;
  }
  for (ptrdiff_t index = 0; index < panels; index++) {
    multiply_rows(rows, count, job);
    skip_panels(&job, 1);
  }
}

static void gemm(
  const netconv_gemm *job, ptrdiff_t first_row, ptrdiff_t end_row, ptrdiff_t first_panel,
  ptrdiff_t end_panel
) {
  // Equal parts: a short last one would spend its time on loading and storing tiles.
  const ptrdiff_t parts = (job->depth + DEPTH_BLOCK - 1) / DEPTH_BLOCK;
  const ptrdiff_t tiles = (end_row - first_row + TILE_ROWS - 1) / TILE_ROWS;
  const ptrdiff_t blocks = (tiles * TILE_ROWS + ROW_BLOCK - 1) / ROW_BLOCK;
  const ptrdiff_t column = first_panel * TILE_COLUMNS;
  const float *rows[ROW_BLOCK];
  for (ptrdiff_t index = 0; index < blocks; index++) {
    const ptrdiff_t row = first_row + tiles * index / blocks * TILE_ROWS;
    const ptrdiff_t next = first_row + tiles * (index + 1) / blocks * TILE_ROWS;
    const ptrdiff_t count = (next < end_row ? next : end_row) - row;
    const ptrdiff_t result = row * job->c_stride + column;
    locate_rows(job, row, count, rows);
    for (ptrdiff_t part = 0; part < parts; part++) {
      const ptrdiff_t start = job->depth * part / parts, end = job->depth * (part + 1) / parts;
      const float *const addend = job->addend ? job->addend + result : NULL;
      const block stretch = {
        .offsets = job->offsets + start,
        .depth = end - start,
        .b = job->b + (first_panel * job->depth + start) * TILE_COLUMNS,
        .panel_stride = job->depth * TILE_COLUMNS,
        .bias = job->bias + column,
        .start = part == 0 ? addend : job->c + result,
        .c = job->c + result,
        .c_stride = job->c_stride,
        .columns = job->columns - column,
        .is_first = part == 0,
        .is_last = part == parts - 1,
        .lowest = job->lowest,
        .highest = job->highest,
      };
      multiply_stretch(rows, count, end_panel - first_panel, stretch);
    }
  }
}
