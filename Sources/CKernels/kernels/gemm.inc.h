// The matrix product of one level, blocked as in Goto and van de Geijn, "Anatomy of High-Performance Matrix
// Multiplication" (2008), without packing the left side: its rows are read where the image holds them.

#define TILE_COLUMNS (TILE_VECTORS * LANES)

enum {
  /// Rows that are done before the next: with their share of the depth they stay in the L2 cache.
  ROW_BLOCK = 192 / TILE_ROWS * TILE_ROWS,
  /// The most of the depth that is summed at once: that much of a panel stays in the L1 cache (24 KiB).
  DEPTH_BLOCK = 24 * 1024 / (TILE_COLUMNS * 4),
  /// What is left of the rows after whole tiles is done in tiles of half the height, then row by row.
  HALF_TILE = TILE_ROWS / 2,
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
  float *c;
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

/// The sums of a tile before its first product: the bias, or what the stretch before has left in `c`.
INLINE void start_tile(
  const int rows, const int vectors, const block *job, const float *c, ptrdiff_t stride, vector *sum
) {
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int v = 0; v < vectors; v++)
      sum[r * vectors + v] =
        *(const vector *)(job->is_first ? job->bias + v * LANES : c + r * stride + v * LANES);
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
  const ptrdiff_t stride = whole ? job->c_stride : TILE_COLUMNS;
  for (int r = 0; !whole && !job->is_first && r < rows; r++)
    copy_columns(job->c + r * job->c_stride, edge + r * TILE_COLUMNS, job->columns);

  vector sum[TILE_ROWS * TILE_VECTORS];
  start_tile(rows, vectors, job, c, stride, sum);
  multiply(rows, vectors, a, job, sum);
  if (job->is_last)
    UNROLL for (int i = 0; i < count; i++) sum[i] = clamp(sum[i], job->lowest, job->highest);
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int v = 0; v < vectors; v++)
      *(vector *)(c + r * stride + v * LANES) = sum[r * vectors + v];
  for (int r = 0; !whole && r < rows; r++)
    copy_columns(edge + r * TILE_COLUMNS, job->c + r * job->c_stride, job->columns);
}

/// Tiles over `count` rows of one panel; leaves less than half a tile to do.
static ptrdiff_t multiply_rows(const float *const *rows, ptrdiff_t count, block job) {
  ptrdiff_t done = 0;
  for (; count - done >= TILE_ROWS; done += TILE_ROWS, job.c += TILE_ROWS * job.c_stride)
    multiply_tile(TILE_ROWS, 1, rows + done, &job);
  for (; count - done >= HALF_TILE; done += HALF_TILE, job.c += HALF_TILE * job.c_stride)
    multiply_tile(HALF_TILE, 1, rows + done, &job);
  return done;
}

/// Where the first tap of each row lies.
static void locate_rows(
  const netconv_gemm *job, ptrdiff_t first, ptrdiff_t count, const float **rows
) {
  ptrdiff_t image = first / job->image_pixels, pixel = first % job->image_pixels;
  ptrdiff_t y = pixel / job->row_pixels, x = pixel % job->row_pixels;
  const ptrdiff_t height = job->image_pixels / job->row_pixels;
  for (ptrdiff_t r = 0; r < count; r++) {
    rows[r] = job->a + image * job->image_stride + y * job->row_stride + x * job->pixel_stride;
    if (++x < job->row_pixels) continue;
    x = 0;
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
    job.b += step * job.panel_stride;
    job.bias += step * TILE_COLUMNS;
    job.c += step * TILE_COLUMNS;
    job.columns -= step * TILE_COLUMNS;
  }
}

/// All rows of all panels from `job` on.
static void multiply_stretch(
  const float *const *rows, ptrdiff_t count, ptrdiff_t panels, const block *job
) {
  block panel = *job;
  ptrdiff_t done = 0;
  for (ptrdiff_t index = 0; index < panels; index++) {
    done = multiply_rows(rows, count, panel);
    panel.b += panel.panel_stride;
    panel.bias += TILE_COLUMNS;
    panel.c += TILE_COLUMNS;
    panel.columns -= TILE_COLUMNS;
  }
  for (; done < count; done++) {
    block row = *job;
    row.c += done * row.c_stride;
    multiply_row(rows + done, panels, row);
  }
}

static void gemm(
  const netconv_gemm *job, ptrdiff_t first_row, ptrdiff_t end_row, ptrdiff_t first_panel,
  ptrdiff_t end_panel
) {
  // Equal parts: a short last one would spend its time on loading and storing tiles.
  const ptrdiff_t parts = (job->depth + DEPTH_BLOCK - 1) / DEPTH_BLOCK;
  const ptrdiff_t column = first_panel * TILE_COLUMNS;
  const float *rows[ROW_BLOCK];
  for (ptrdiff_t row = first_row; row < end_row; row += ROW_BLOCK) {
    const ptrdiff_t count = end_row - row < ROW_BLOCK ? end_row - row : ROW_BLOCK;
    locate_rows(job, row, count, rows);
    for (ptrdiff_t part = 0; part < parts; part++) {
      const ptrdiff_t start = job->depth * part / parts, end = job->depth * (part + 1) / parts;
      const block stretch = {
        .offsets = job->offsets + start,
        .depth = end - start,
        .b = job->b + (first_panel * job->depth + start) * TILE_COLUMNS,
        .panel_stride = job->depth * TILE_COLUMNS,
        .bias = job->bias + column,
        .c = job->c + row * job->c_stride + column,
        .c_stride = job->c_stride,
        .columns = job->columns - column,
        .is_first = part == 0,
        .is_last = part == parts - 1,
        .lowest = job->lowest,
        .highest = job->highest,
      };
      multiply_stretch(rows, count, end_panel - first_panel, &stretch);
    }
  }
}
