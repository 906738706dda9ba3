// Kernels of filters. Values go from 0 to 1, as textures of 8 bits give them. Textures between filters hold halves or
// floats, so that nothing is cut off there; a texture of 8 bits cuts off what is written to it at 0 and 1.
//
// Alpha is straight. What is made of several pixels weighs colours by their alpha.
//
// Grids have whole groups of threads, so that each kernel leaves out the places beyond its result.

#include <metal_stdlib>

using namespace metal;

typedef texture2d<float, access::read> Source;
typedef texture2d<float, access::write> Result;

static bool isOutside(uint2 place, Result result) {
  return place.x >= result.get_width() || place.y >= result.get_height();
}

// MARK: - Pixel by pixel

#if recolor
/// Each colour becomes a sum of the colours of its pixel: a row holds three factors, and what is added.
kernel void recolor(
  Source source [[texture(0)]], Result result [[texture(1)]], constant float4 *rows [[buffer(0)]],
  uint2 place [[thread_position_in_grid]]
) {
  if (isOutside(place, result)) return;
  float4 pixel = source.read(place);
  float4 colors = float4(pixel.rgb, 1);
  result.write(
    float4(dot(rows[0], colors), dot(rows[1], colors), dot(rows[2], colors), pixel.a), place);
}
#endif

#if flatten
/// Gives up alpha: pixels are seen in front of a colour, or, if its last component is 0, keep theirs.
kernel void flatten(
  Source source [[texture(0)]], Result result [[texture(1)]],
  constant float4 &background [[buffer(0)]], uint2 place [[thread_position_in_grid]]
) {
  if (isOutside(place, result)) return;
  float4 pixel = source.read(place);
  float3 colors =
    background.a > 0 ? pixel.rgb * pixel.a + background.rgb * (1 - pixel.a) : pixel.rgb;
  result.write(float4(colors, 1), place);
}
#endif

#if transferCurve
/// Light from a value of sRGB (IEC 61966-2-1); the curve is continued on both sides.
static float light(float value) {
  return value <= 0.04045f ? value / 12.92f : pow((value + 0.055f) / 1.055f, 2.4f);
}

/// The value of sRGB for light.
static float encoded(float light) {
  return light <= 0.0031308f ? light * 12.92f : 1.055f * pow(light, 1 / 2.4f) - 0.055f;
}

/// Takes colours of sRGB to light.
kernel void linearize(
  Source source [[texture(0)]], Result result [[texture(1)]], uint2 place [[thread_position_in_grid]]
) {
  if (isOutside(place, result)) return;
  float4 pixel = source.read(place);
  result.write(float4(light(pixel.r), light(pixel.g), light(pixel.b), pixel.a), place);
}

/// Takes light to colours of sRGB.
kernel void encode(
  Source source [[texture(0)]], Result result [[texture(1)]], uint2 place [[thread_position_in_grid]]
) {
  if (isOutside(place, result)) return;
  float4 pixel = source.read(place);
  result.write(float4(encoded(pixel.r), encoded(pixel.g), encoded(pixel.b), pixel.a), place);
}
#endif

// MARK: - Neighbourhoods, one axis in a pass

/// What a pass does with alpha besides: the first along an axis multiplies colours by it, the last divides them.
enum Weighing { multiplies = 1, divides = 2 };

/// A pixel that is going to be added to others.
static float4 summand(float4 pixel, int weighing) {
  return weighing & multiplies ? float4(pixel.rgb * pixel.a, pixel.a) : pixel;
}

/// A pixel from a sum; nobody sees the colour of what is transparent.
static float4 pixelOf(float4 sum, int weighing) {
  if (!(weighing & divides)) return sum;
  return sum.a > 0 ? float4(sum.rgb / sum.a, min(sum.a, 1.0f)) : float4(0, 0, 0, 0);
}

#if blur
struct Blur {
  /// (1, 0) along rows, (0, 1) along columns.
  int2 axis;
  int radius;
  int weighing;
};

/// A weighted mean of 2 · radius + 1 pixels; beyond an edge lies the edge.
kernel void blur(
  Source source [[texture(0)]], Result result [[texture(1)]], constant Blur &blur [[buffer(0)]],
  constant float *taps [[buffer(1)]], uint2 place [[thread_position_in_grid]]
) {
  if (isOutside(place, result)) return;
  int2 last = int2(int(source.get_width()) - 1, int(source.get_height()) - 1);
  float4 sum = float4(0, 0, 0, 0);
  for (int tap = -blur.radius; tap <= blur.radius; tap++) {
    int x = clamp(int(place.x) + tap * blur.axis.x, 0, last.x);
    int y = clamp(int(place.y) + tap * blur.axis.y, 0, last.y);
    float4 pixel = source.read(uint2(x, y));
    sum += taps[tap + blur.radius] * summand(pixel, blur.weighing);
  }
  result.write(pixelOf(sum, blur.weighing), place);
}
#endif

struct Resampling {
  /// (1, 0) along rows, (0, 1) along columns.
  int2 axis;
  /// Weights for each new pixel.
  int most;
  int weighing;
};

/// A change of size: each new pixel has the first of the old ones that it is made from, their number, and weights.
kernel void resample(
  Source source [[texture(0)]], Result result [[texture(1)]],
  constant Resampling &resampling [[buffer(0)]], constant int2 *spans [[buffer(1)]],
  constant float *weights [[buffer(2)]], uint2 place [[thread_position_in_grid]]
) {
  if (isOutside(place, result)) return;
  bool isAlongRow = resampling.axis.x == 1;
  int index = isAlongRow ? int(place.x) : int(place.y);
  int2 span = spans[index];
  float4 sum = float4(0, 0, 0, 0);
  for (int tap = 0; tap < span.y; tap++) {
    uint old = uint(span.x + tap);
    float4 pixel = source.read(isAlongRow ? uint2(old, place.y) : uint2(place.x, old));
    sum += weights[index * resampling.most + tap] * summand(pixel, resampling.weighing);
  }
  result.write(pixelOf(sum, resampling.weighing), place);
}

// MARK: - Places

/// Takes each pixel from another place: rows hold (factor of x, factor of y, summand, 0), for x and for y.
///
/// What would come from outside has the colour of the background.
kernel void rearrange(
  Source source [[texture(0)]], Result result [[texture(1)]], constant int4 *rows [[buffer(0)]],
  constant float4 &background [[buffer(1)]], uint2 place [[thread_position_in_grid]]
) {
  if (isOutside(place, result)) return;
  float4 around = background;
  int x = rows[0].x * int(place.x) + rows[0].y * int(place.y) + rows[0].z;
  int y = rows[1].x * int(place.x) + rows[1].y * int(place.y) + rows[1].z;
  bool isInside =
    x >= 0 && y >= 0 && x < int(source.get_width()) && y < int(source.get_height());
  result.write(isInside ? source.read(uint2(x, y)) : around, place);
}

#if restore
/// Takes a rectangle, as (x, y, width, height), from a changed picture, and all else from the picture as it was.
kernel void restore(
  Source source [[texture(0)]], Source changed [[texture(1)]], Result result [[texture(2)]],
  constant int4 &area [[buffer(0)]], uint2 place [[thread_position_in_grid]]
) {
  if (isOutside(place, result)) return;
  int x = int(place.x) - area.x;
  int y = int(place.y) - area.y;
  bool isInside = x >= 0 && y >= 0 && x < area.z && y < area.w;
  result.write(isInside ? changed.read(place) : source.read(place), place);
}
#endif

#if filterPackage
// MARK: - Numbers

/// Whether a value is no number; by its bits, because compilers may take it for granted that there are none.
static bool isNoNumber(float value) { return (as_type<uint>(value) & 0x7fffffffu) > 0x7f800000u; }

/// Counts how often each of 256 values is in each of the four channels; behind that, what is no number.
kernel void countLevels(
  Source source [[texture(0)]], device atomic_uint *counts [[buffer(0)]],
  uint2 place [[thread_position_in_grid]]
) {
  if (place.x >= source.get_width() || place.y >= source.get_height()) return;
  float4 pixel = source.read(place);
  for (int channel = 0; channel < 4; channel++) {
    float value = pixel[channel];
    int index =
      isNoNumber(value) ? 4 * 256 : channel * 256 + int(rint(clamp(value, 0.0f, 1.0f) * 255.0f));
    atomic_fetch_add_explicit(&counts[index], 1u, memory_order_relaxed);
  }
}

/// Copies a texture into a buffer, row by row.
kernel void store(
  Source source [[texture(0)]], device float4 *values [[buffer(0)]],
  uint2 place [[thread_position_in_grid]]
) {
  if (place.x >= source.get_width() || place.y >= source.get_height()) return;
  values[place.y * source.get_width() + place.x] = source.read(place);
}

// MARK: - On the screen

struct QuadCorner {
  float4 position [[position]];
  float2 place;
};

/// The corner of a quad: (x, y) on the screen, and the place in the picture.
vertex QuadCorner quadCorner(
  uint index [[vertex_id]], constant float4 *corners [[buffer(0)]]
) {
  QuadCorner corner;
  corner.position = float4(corners[index].xy, 0, 1);
  corner.place = corners[index].zw;
  return corner;
}

/// The picture in front of black.
fragment float4 quadColor(
  QuadCorner corner [[stage_in]], texture2d<float> picture [[texture(0)]]
) {
  constexpr sampler nearby(filter::linear, address::clamp_to_edge);
  float4 pixel = picture.sample(nearby, corner.place);
  return float4(pixel.rgb * pixel.a, 1);
}
#endif

#if feeding
// MARK: - Into a network

/// Values as a network takes them: those of files, from 0 to 255, unless something was done to them.
kernel void feed(
  Source source [[texture(0)]], Result result [[texture(1)]], uint2 place [[thread_position_in_grid]]
) {
  if (isOutside(place, result)) return;
  result.write(source.read(place) * 255.0f, place);
}

struct Feed {
  /// Values of a pixel, 1 or 3.
  int channels;
  /// From one value of a pixel to the next, and from one pixel to the next.
  int channelStride, pixelStride;
};

/// The same into a buffer, row by row.
kernel void feedBuffer(
  Source source [[texture(0)]], device float *values [[buffer(0)]],
  constant Feed &feed [[buffer(1)]], uint2 place [[thread_position_in_grid]]
) {
  if (place.x >= source.get_width() || place.y >= source.get_height()) return;
  int first = int(place.y * source.get_width() + place.x) * feed.pixelStride;
  float4 pixel = source.read(place);
  for (int channel = 0; channel < feed.channels; channel++)
    values[first + channel * feed.channelStride] = pixel[channel] * 255.0f;
}
#endif
