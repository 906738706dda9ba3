#include "check.h"

#include <ckernels.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

// Each kernel computes all of its work at once, and then each half of it in a thread of its own; the results are the same.

/// Values that are small, of both signs, and the same each time.
static float *values(size_t count) {
  float *place = room(count * sizeof *place);
  for (size_t index = 0; index < count; index++) place[index] = (float)((index * 7919) % 201) / 64 - 1.5f;
  return place;
}

typedef struct {
  const netconv_level *level;
  const void *job;
  float *scratch;
  ptrdiff_t first, end;
} part;

typedef void (*work)(const part *);
typedef struct {
  work run;
  part of;
} task;

static void *perform(void *argument) {
  const task *mine = argument;
  mine->run(&mine->of);
  return NULL;
}

/// Runs `run` over [0, count) at once and in two halves, and compares `size` values at `result`.
static void compare(
    const netconv_level *level, const void *job, work run, ptrdiff_t count, float *result, size_t size,
    ptrdiff_t scratch) {
  float *places[3];
  for (int index = 0; index < 3; index++) places[index] = room((size_t)scratch * sizeof(float));
  part whole = {level, job, places[0], 0, count};
  run(&whole);
  float *expected = room(size * sizeof *expected);
  memcpy(expected, result, size * sizeof *expected);
  memset(result, 0xff, size * sizeof *result);
  task halves[2] = {{run, {level, job, places[1], 0, count / 2}}, {run, {level, job, places[2], count / 2, count}}};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, perform, &halves[0]) == 0);
  perform(&halves[1]);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(memcmp(expected, result, size * sizeof *expected) == 0);
  free(expected);
  for (int index = 0; index < 3; index++) free(places[index]);
}

// MARK: Products, windows

static ptrdiff_t panels;

static void gemm(const part *of) { of->level->gemm(of->job, of->first, of->end, 0, panels); }

static void check_gemm(const netconv_level *level) {
  // 23 pixels of 13 values each; more columns than a panel has.
  enum { ROWS = 23, DEPTH = 13 };
  ptrdiff_t columns = level->tile_columns + 3;
  panels = 2;
  size_t padded = (size_t)(panels * level->tile_columns);
  ptrdiff_t offsets[DEPTH];
  for (int index = 0; index < DEPTH; index++) offsets[index] = index;
  float *a = values(ROWS * DEPTH), *b = values(padded * DEPTH), *bias = values(padded);
  float *addend = values(ROWS * (size_t)columns), *c = room(ROWS * (size_t)columns * sizeof *c);
  netconv_gemm job = {
      .a = a, .row_pixels = ROWS, .image_pixels = ROWS, .pixel_stride = DEPTH, .row_stride = ROWS * DEPTH,
      .image_stride = ROWS * DEPTH, .offsets = offsets, .depth = DEPTH, .b = b, .bias = bias, .addend = addend,
      .c = c, .c_stride = columns, .columns = columns, .lowest = -INFINITY, .highest = 20};
  compare(level, &job, gemm, ROWS, c, ROWS * (size_t)columns, 0);
  float sum = bias[0] + addend[0];
  for (int index = 0; index < DEPTH; index++) sum += a[index] * b[(size_t)index * (size_t)level->tile_columns];
  CHECK(fabsf(c[0] - fminf(sum, 20)) < 1e-4f);
  free(a), free(b), free(bias), free(addend), free(c);
}

static void max_pool(const part *of) { of->level->max_pool(of->job, of->first, of->end); }
static void average_pool(const part *of) { of->level->average_pool(of->job, of->first, of->end); }

static void check_pooling(const netconv_level *level, ptrdiff_t channels) {
  // Windows of 3 that go 2 on, with one pixel of padding: 7 x 5 become 4 x 3.
  float *x = values(7 * 5 * (size_t)channels), *y = room(4 * 3 * (size_t)channels * sizeof *y);
  netconv_pooling job = {
      .x = x, .y = y, .channels = channels, .rows = {.input = 7, .output = 4, .size = 3, .stride = 2, .before = 1},
      .columns = {.input = 5, .output = 3, .size = 3, .stride = 2, .before = 1}};
  compare(level, &job, max_pool, 4, y, 4 * 3 * (size_t)channels, 0);
  CHECK(y[0] == fmaxf(fmaxf(x[0], x[channels]), fmaxf(x[5 * channels], x[6 * channels])));
  compare(level, &job, average_pool, 4, y, 4 * 3 * (size_t)channels, 0);
  free(x), free(y);
}

static void depthwise(const part *of) {
  netconv_depthwise job = *(const netconv_depthwise *)of->job;
  job.x += of->first * job.row_stride;
  job.y += of->first * job.columns * job.channels;
  of->level->depthwise(&job, of->end - of->first);
}

static void check_depthwise(const netconv_level *level, ptrdiff_t channels) {
  // Windows of 3 x 2 over 7 x 6.
  float *x = values(7 * 6 * (size_t)channels), *kernel = values(6 * (size_t)channels);
  float *bias = values((size_t)channels), *y = room(5 * 5 * (size_t)channels * sizeof *y);
  netconv_depthwise job = {
      .x = x, .y = y, .kernel = kernel, .bias = bias, .channels = channels, .window_rows = 3, .window_columns = 2,
      .columns = 5, .pixel_stride = channels, .row_stride = 6 * channels, .tap_stride = channels,
      .tap_row_stride = 6 * channels, .lowest = -2, .highest = 6};
  compare(level, &job, depthwise, 5, y, 5 * 5 * (size_t)channels, 0);
  free(x), free(kernel), free(bias), free(y);
}

// MARK: Values one by one

typedef struct {
  const float *x;
  float *y;
  netconv_activation activation;
} applied;

static void activate(const part *of) {
  const applied *job = of->job;
  of->level->activate(&job->activation, job->x + of->first, job->y + of->first, of->end - of->first);
}

static void combine(const part *of) {
  netconv_combine job = *(const netconv_combine *)of->job;
  job.a += of->first, job.b += of->first, job.y += of->first;
  job.count = of->end - of->first;
  of->level->combine(&job);
}

static void affine(const part *of) {
  netconv_affine job = *(const netconv_affine *)of->job;
  job.x += of->first * job.channels, job.y += of->first * job.channels;
  job.pixels = of->end - of->first;
  of->level->affine(&job);
}

static void softmax(const part *of) {
  const applied *job = of->job;
  of->level->softmax(job->x + 35 * of->first, job->y + 35 * of->first, of->end - of->first, 7, 5);
}

static void check_elements(const netconv_level *level) {
  float *x = values(210), *other = values(211) + 1, *y = room(210 * sizeof *y);
  for (int function = NETCONV_CLAMP; function <= NETCONV_THRESHOLD; function++) {
    applied job = {x, y, {(netconv_function)function, 0.5f, 1, 2}};
    for (ptrdiff_t count = 1; count < 70; count += 17) compare(level, &job, activate, count, y, (size_t)count, 0);
  }
  for (int combination = NETCONV_SUM; combination <= NETCONV_GATE; combination++) {
    netconv_combine job = {.combination = (netconv_combination)combination, .s = 2, .a = x, .b = other, .y = y};
    for (ptrdiff_t count = 1; count < 70; count += 17) compare(level, &job, combine, count, y, (size_t)count, 0);
  }
  netconv_affine normal = {.x = x, .y = y, .mean = other, .scale = x + 3, .shift = x + 50, .channels = 21};
  compare(level, &normal, affine, 10, y, 210, 0);
  applied exponentials = {.x = x, .y = y};
  compare(level, &exponentials, softmax, 6, y, 210, 0);
  free(x), free(other - 1), free(y);
}

// MARK: Pictures

static void correlate(const part *of) { of->level->correlate(of->job, of->scratch, of->first, of->end); }
static void mix(const part *of) { of->level->mix(of->job, of->first, of->end); }
static void scale(const part *of) { of->level->scale(of->job, of->first, of->end); }
static void sample_rows(const part *of) { of->level->sample_rows(of->job, 30, of->first, of->end); }
static void sample_columns(const part *of) { of->level->sample_columns(of->job, 9, 5, 3, of->first, of->end); }

static void check_filters(const netconv_level *level) {
  float *x = values(9 * 10 * 4), *y = room(9 * 10 * 4 * sizeof *y);
  for (ptrdiff_t channels = 1; channels <= 4; channels++) {
    for (ptrdiff_t radius = 0; radius <= 6; radius += 3) {
      netconv_correlation job = {x, y, 9, 10, channels, x + 20, radius};
      compare(level, &job, correlate, 9, y, 90 * (size_t)channels, netconv_correlation_scratch(channels, radius));
    }
  }
  netconv_mixture mixture = {x, y, 3, 4, 1, 2, x + 100, x + 200};
  compare(level, &mixture, mix, 90, y, 90 * 2, 0);
  netconv_scaling scaling = {x, y, 4, x + 100, x + 200};
  compare(level, &scaling, scale, 90, y, 90 * 4, 0);
  // Five results from three neighbours of nine.
  ptrdiff_t first[] = {0, 1, 3, 5, 7}, count[] = {1, 3, 3, 3, 2};
  netconv_sampling sampling = {x, y, first, count, x + 40, 3};
  compare(level, &sampling, sample_rows, 5, y, 5 * 30, 0);
  compare(level, &sampling, sample_columns, 10, y, 10 * 5 * 3, 0);
  for (int place = 3; place < 360; place += 4) x[place] = 255;
  CHECK(level->is_opaque(x, 4, 90));
  x[359] = 254;
  CHECK(!level->is_opaque(x, 4, 90));
  level->premultiply(x, y, 4, 90);
  level->unpremultiply(y, 4, 90);
  CHECK(fabsf(x[0] - y[0]) < 1e-4f && fabsf(x[356] - y[356]) < 1e-4f);
  free(x), free(y);
}

void check_kernels(void) {
  int index = 0;
  for (const netconv_level *level; (level = netconv_available_level(index)) != NULL; index++) {
    check_gemm(level);
    for (ptrdiff_t channels = 1; channels < 40; channels += 6) {
      check_pooling(level, channels);
      check_depthwise(level, channels);
    }
    check_elements(level);
    check_filters(level);
  }
  CHECK(index >= 1 && netconv_core_count() >= 1);
}
