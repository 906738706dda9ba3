#include "check.h"

#include <cpictures.h>
#include <string.h>

/// Decodes a copy of the bytes that ends where they end; returns whether it is a picture.
static int decode(const uint8_t *bytes, size_t size) {
  uint8_t *copy = room(size);
  memcpy(copy, bytes, size);
  netconv_picture_header *header = calloc(1, sizeof *header);
  uint8_t *profile = room(NETCONV_PROFILE_ROOM);
  netconv_picture_error *error = calloc(1, sizeof *error);
  CHECK(header != NULL && error != NULL);
  int isPNG = netconv_is_png(copy, size);
  int status = isPNG ? netconv_png_header(copy, size, header, profile, error)
                     : netconv_jpeg_header(copy, size, header, profile, error);
  size_t samples = (size_t)header->width * header->height * (size_t)header->channels * (size_t)header->sample_bytes;
  if (status == 0 && samples < 1 << 22) {
    CHECK(header->exif_offset + header->exif_size <= size);
    void *values = room(samples);
    status = isPNG ? netconv_png_samples(copy, size, header, values, error)
                   : netconv_jpeg_samples(copy, size, header, values, error);
    free(values);
  }
  CHECK(status == 0 || error->text[0] != 0);
  free(header);
  free(profile);
  free(error);
  free(copy);
  return status == 0;
}

/// Whole pictures, cut ones, and ones with a changed byte.
void check_pictures(const char *fixtures) {
  static const char *names[] = {"rgb-16.png", "palette-alpha.png", "interlaced.png", "profile-lab.png", "gray.jpg",
                                "progressive.jpg", "orientation-7.jpg", "profile.jpg"};
  CHECK(netconv_jpeg_prepare() == 0);
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/pictures/%s", fixtures, names[index]);
    size_t size;
    uint8_t *bytes = contents(path, &size);
    CHECK(decode(bytes, size));
    size_t step = size / 60 + 1;
    for (size_t length = 0; length < size; length += step) {
      decode(bytes, length);
      bytes[length] ^= 0x41;
      decode(bytes, size);
      bytes[length] ^= 0x41;
    }
    free(bytes);
  }
}
