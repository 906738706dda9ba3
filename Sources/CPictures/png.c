#include "cpictures.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/// A file in memory that is read from front to back.
typedef struct {
  const uint8_t *bytes;
  size_t size;
  size_t position;
} source;

static void read_bytes(png_structp png, png_bytep out, size_t count) {
  source *from = png_get_io_ptr(png);
  if (count > from->size - from->position) png_error(png, "the file ends too early");
  memcpy(out, from->bytes + from->position, count);
  from->position += count;
}

static void keep_error(png_structp png, png_const_charp message) {
  netconv_picture_error *error = png_get_error_ptr(png);
  snprintf(error->text, sizeof error->text, "%s", message);
  png_longjmp(png, 1);
}

// Libpng warns of what it repairs, most often of colour profiles that are not quite what they say.
static void ignore_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

/// The two structures of libpng; NULL, with a message, if there is no memory.
static png_structp begin(png_infop *info, netconv_picture_error *error) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, error, keep_error, ignore_warning);
  *info = png ? png_create_info_struct(png) : NULL;
  if (!*info) {
    png_destroy_read_struct(&png, NULL, NULL);
    snprintf(error->text, sizeof error->text, "there is no memory for libpng");
    return NULL;
  }
  return png;
}

// Pixels of a row, and rows; what may be refused for its size as a whole is refused by our caller.
enum { SIDE = 1 << 20 };
// Bytes that a chunk may take besides samples, a colour profile unpacked; libpng passes over those that take more.
enum { CHUNK = 8 << 20 };
// Chunks that libpng may keep.
enum { CHUNKS = 64 };

/// Limits before anything is read. Of what is neither needed to see the picture nor says what its colours are nothing is
/// taken apart: text, for one, may be compressed.
static void limit(png_structp png) {
  static const png_byte wanted[] = "gAMA\0cHRM\0sRGB\0iCCP";
  png_set_user_limits(png, SIDE, SIDE);
  png_set_chunk_malloc_max(png, CHUNK);
  png_set_chunk_cache_max(png, CHUNKS);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, wanted, sizeof wanted / 5);
}

/// Asks for 8 or 16 bits of gray or RGB, with alpha where there is any, and reads up to the samples.
static int prepare(png_structp png, png_infop info, source *from) {
  png_set_read_fn(png, from, read_bytes);
  limit(png);
  png_read_info(png, info);
  png_set_expand(png);
  const uint16_t one = 1;
  if (*(const uint8_t *)&one == 1) png_set_swap(png);
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  return passes;
}

static void describe(
    png_structp png, png_infop info, netconv_picture_header *header, uint8_t *room) {
  header->width = png_get_image_width(png, info);
  header->height = png_get_image_height(png, info);
  header->channels = png_get_channels(png, info);
  header->sample_bytes = png_get_bit_depth(png, info) / 8;
  png_charp name;
  png_bytep profile;
  png_uint_32 size;
  int method;
  if (png_get_iCCP(png, info, &name, &method, &profile, &size) == PNG_INFO_iCCP) {
    header->profile_size = size;
    if (room) memcpy(room, profile, size < NETCONV_PROFILE_ROOM ? size : NETCONV_PROFILE_ROOM);
  }
  png_fixed_point gamma;
  if (png_get_gAMA_fixed(png, info, &gamma) == PNG_INFO_gAMA) header->gamma = gamma;
}

/// Finds the chunk eXIf, which may stand behind the samples; chunks were checked, or will be, when they are read.
static void find_exif(const uint8_t *bytes, size_t size, netconv_picture_header *header) {
  size_t at = 8;
  while (size - at >= 12) {
    const uint8_t *chunk = bytes + at;
    size_t length = (size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 | (size_t)chunk[2] << 8 | chunk[3];
    if (length > size - at - 12) return;
    if (memcmp(chunk + 4, "eXIf", 4) == 0) {
      header->exif_offset = at + 8;
      header->exif_size = length;
      return;
    }
    at += length + 12;
  }
}

int netconv_is_png(const uint8_t *bytes, size_t size) {
  static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  return size >= sizeof signature && memcmp(bytes, signature, sizeof signature) == 0;
}

/// Reads the header, and the samples where there is a place for them; they have to be those of the header `expected`.
static int decode(
    const uint8_t *bytes, size_t size, netconv_picture_header *header, uint8_t *profile,
    const netconv_picture_header *expected, void *samples, netconv_picture_error *error) {
  memset(header, 0, sizeof *header);
  memset(error, 0, sizeof *error);
  source from = {bytes, size, 0};
  png_infop info;
  png_structp png = begin(&info, error);
  if (!png) return -1;
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    return -1;
  }
  int passes = prepare(png, info, &from);
  describe(png, info, header, profile);
  if (samples) {
    size_t row_bytes = (size_t)expected->width * expected->channels * expected->sample_bytes;
    if (png_get_rowbytes(png, info) != row_bytes || header->height != expected->height)
      png_error(png, "the samples are not those of the header");
    for (int pass = 0; pass < passes; ++pass)
      for (uint32_t row = 0; row < header->height; ++row)
        png_read_row(png, (png_bytep)samples + row * row_bytes, NULL);
    // The checksums of what is behind the samples, and that there is an end.
    png_read_end(png, NULL);
  }
  png_destroy_read_struct(&png, &info, NULL);
  return 0;
}

int netconv_png_header(
    const uint8_t *bytes, size_t size, netconv_picture_header *header, uint8_t *profile,
    netconv_picture_error *error) {
  int status = decode(bytes, size, header, profile, NULL, NULL, error);
  if (status == 0) find_exif(bytes, size, header);
  return status;
}

int netconv_png_samples(
    const uint8_t *bytes, size_t size, const netconv_picture_header *header, void *samples,
    netconv_picture_error *error) {
  netconv_picture_header found;
  return decode(bytes, size, &found, NULL, header, samples, error);
}
