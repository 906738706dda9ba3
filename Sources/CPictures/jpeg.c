#include "cpictures.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

// Of a picture that is sent piece by piece: more scans than anybody makes only cost time. Encoders make about ten; of a
// picture of many pixels no more are read than take seconds.
enum { MOST_SCANS = 200, LEAST_SCANS = 32 };
static const uint64_t PIXELS_OF_SCANS = (uint64_t)1 << 30;

// Bytes of coefficients, which a picture that is sent piece by piece is collected in: two for each of 200 million values, and
// what is added at the edges.
static const long MEMORY = 512L << 20;

/// What libjpeg knows, with what is ours behind it.
typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf jump;
  netconv_picture_error *error;
} error_manager;

static void fail(j_common_ptr codec, const char *message) {
  error_manager *errors = (error_manager *)codec->err;
  snprintf(errors->error->text, sizeof errors->error->text, "%s", message);
  longjmp(errors->jump, 1);
}

static void stop(j_common_ptr codec) {
  char text[JMSG_LENGTH_MAX];
  codec->err->format_message(codec, text);
  fail(codec, text);
}

static void hear(j_common_ptr codec, int level) {
  if (level < 0 && codec->err->msg_code != JWRN_EXTRANEOUS_DATA) stop(codec);
}

static void say_nothing(j_common_ptr codec) { (void)codec; }

static void count_scans(j_common_ptr codec) {
  j_decompress_ptr picture = (j_decompress_ptr)codec;
  uint64_t pixels = (uint64_t)picture->image_width * picture->image_height;
  uint64_t scans = PIXELS_OF_SCANS / (pixels > 0 ? pixels : 1);
  int most = scans > MOST_SCANS ? MOST_SCANS : scans < LEAST_SCANS ? LEAST_SCANS : (int)scans;
  char text[40];
  snprintf(text, sizeof text, "it has more than %d scans", most);
  if (picture->input_scan_number > most) fail(codec, text);
}

static struct jpeg_error_mgr *manager(error_manager *errors, netconv_picture_error *error) {
  memset(error, 0, sizeof *error);
  struct jpeg_error_mgr *base = jpeg_std_error(&errors->base);
  base->error_exit = stop;
  base->emit_message = hear;
  base->output_message = say_nothing;
  errors->error = error;
  return base;
}

/// The samples that are wanted: gray as it is, everything else as RGB.
static void choose_colours(j_decompress_ptr codec) {
  switch (codec->jpeg_color_space) {
    case JCS_GRAYSCALE: codec->out_color_space = JCS_GRAYSCALE; break;
    case JCS_CMYK:
    case JCS_YCCK: fail((j_common_ptr)codec, "its colours are CMYK, for printing"); break;
    default: codec->out_color_space = JCS_RGB; break;
  }
  codec->dct_method = JDCT_ISLOW;
  codec->do_fancy_upsampling = TRUE;
}

/// Puts the parts of a colour profile, which come in segments, one behind the other.
static void add_profile(
    const uint8_t *data, size_t size, netconv_picture_header *header, uint8_t *profile) {
  static const char name[] = "ICC_PROFILE";
  enum { NAME = sizeof name + 2 };
  if (size < NAME || memcmp(data, name, sizeof name) != 0) return;
  size_t count = size - NAME;
  if (header->profile_size < NETCONV_PROFILE_ROOM) {
    size_t room = NETCONV_PROFILE_ROOM - header->profile_size;
    memcpy(profile + header->profile_size, data + NAME, count < room ? count : room);
  }
  header->profile_size += count;
}

/// Finds the first segment of EXIF data and the colour profile in front of the first scan; libjpeg would keep a copy of
/// each segment, however many there are.
static void find_segments(
    const uint8_t *bytes, size_t size, netconv_picture_header *header, uint8_t *profile) {
  size_t at = 2;
  while (size >= 4 && at <= size - 4) {
    uint8_t kind = bytes[at + 1];
    // Bytes between segments mean nothing, nor does one of 0xFF too many.
    if (bytes[at] != 0xFF || kind == 0xFF || kind == 0) {
      at += 1;
      continue;
    }
    if (kind == 0xDA || kind == 0xD9) return;
    // These have no length.
    if (kind == 0x01 || (kind >= 0xD0 && kind <= 0xD8)) {
      at += 2;
      continue;
    }
    size_t length = (size_t)bytes[at + 2] << 8 | bytes[at + 3];
    if (length < 2 || length > size - at - 2) return;
    const uint8_t *data = bytes + at + 4;
    if (kind == 0xE1 && length >= 8 && header->exif_size == 0 &&
        memcmp(data, "Exif\0\0", 6) == 0) {
      header->exif_offset = at + 10;
      header->exif_size = length - 8;
    }
    if (kind == 0xE2) add_profile(data, length - 2, header, profile);
    at += length + 2;
  }
}

int netconv_is_jpeg(const uint8_t *bytes, size_t size) {
  return size >= 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF;
}

static void describe(j_decompress_ptr codec, netconv_picture_header *header) {
  header->width = codec->image_width;
  header->height = codec->image_height;
  header->channels = codec->out_color_space == JCS_GRAYSCALE ? 1 : 3;
  header->sample_bytes = 1;
}

/// Reads the samples, which have to be those of a header.
static void read_samples(
    j_decompress_ptr codec, const netconv_picture_header *expected, void *samples) {
  jpeg_start_decompress(codec);
  size_t row_bytes = (size_t)expected->width * expected->channels;
  if (codec->output_width != expected->width || codec->output_height != expected->height ||
      codec->output_components != expected->channels)
    fail((j_common_ptr)codec, "the samples are not those of the header");
  while (codec->output_scanline < codec->output_height) {
    JSAMPROW row = (JSAMPROW)samples + codec->output_scanline * row_bytes;
    jpeg_read_scanlines(codec, &row, 1);
  }
  jpeg_finish_decompress(codec);
}

/// Reads the header, and the samples where there is a place for them; they have to be those of the header `expected`.
static int decode(
    const uint8_t *bytes, size_t size, netconv_picture_header *header,
    const netconv_picture_header *expected, void *samples, netconv_picture_error *error) {
  memset(header, 0, sizeof *header);
  struct jpeg_decompress_struct codec;
  error_manager errors;
  struct jpeg_progress_mgr progress = {.progress_monitor = count_scans};
  memset(&codec, 0, sizeof codec);
  codec.err = manager(&errors, error);
  if (setjmp(errors.jump)) {
    jpeg_destroy_decompress(&codec);
    return -1;
  }
  jpeg_create_decompress(&codec);
  jpeg_mem_src(&codec, bytes, size);
  codec.progress = &progress;
  codec.mem->max_memory_to_use = MEMORY;
  jpeg_read_header(&codec, TRUE);
  choose_colours(&codec);
  describe(&codec, header);
  if (samples) read_samples(&codec, expected, samples);
  jpeg_destroy_decompress(&codec);
  return 0;
}

int netconv_jpeg_header(
    const uint8_t *bytes, size_t size, netconv_picture_header *header, uint8_t *profile,
    netconv_picture_error *error) {
  int status = decode(bytes, size, header, NULL, NULL, error);
  if (status == 0) find_segments(bytes, size, header, profile);
  return status;
}

int netconv_jpeg_samples(
    const uint8_t *bytes, size_t size, const netconv_picture_header *header, void *samples,
    netconv_picture_error *error) {
  netconv_picture_header found;
  return decode(bytes, size, &found, header, samples, error);
}

// One gray pixel.
static const uint8_t smallest[] = {
    0xFF, 0xD8, 0xFF, 0xDB, 0x00, 0x43, 0x00, 0x08, 0x06, 0x06, 0x07, 0x06, 0x05, 0x08, 0x07, 0x07,
    0x07, 0x09, 0x09, 0x08, 0x0A, 0x0C, 0x14, 0x0D, 0x0C, 0x0B, 0x0B, 0x0C, 0x19, 0x12, 0x13, 0x0F,
    0x14, 0x1D, 0x1A, 0x1F, 0x1E, 0x1D, 0x1A, 0x1C, 0x1C, 0x20, 0x24, 0x2E, 0x27, 0x20, 0x22, 0x2C,
    0x23, 0x1C, 0x1C, 0x28, 0x37, 0x29, 0x2C, 0x30, 0x31, 0x34, 0x34, 0x34, 0x1F, 0x27, 0x39, 0x3D,
    0x38, 0x32, 0x3C, 0x2E, 0x33, 0x34, 0x32, 0xFF, 0xC0, 0x00, 0x0B, 0x08, 0x00, 0x01, 0x00, 0x01,
    0x01, 0x01, 0x11, 0x00, 0xFF, 0xC4, 0x00, 0x14, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xC4, 0x00, 0x14, 0x10, 0x01,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0xFF, 0xDA, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3F, 0x00, 0x3F, 0xFF, 0xD9,
};

int netconv_jpeg_prepare(void) {
  netconv_picture_header header;
  uint8_t profile[NETCONV_PROFILE_ROOM];
  netconv_picture_error error;
  uint8_t sample;
  if (netconv_jpeg_header(smallest, sizeof smallest, &header, profile, &error) != 0) return -1;
  return netconv_jpeg_samples(smallest, sizeof smallest, &header, &sample, &error);
}
