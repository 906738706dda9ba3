#ifndef NETCONV_CPICTURES_H
#define NETCONV_CPICTURES_H

#include <stddef.h>
#include <stdint.h>

// PNG and JPEG from memory, by libpng and libjpeg. Both report errors by longjmp, which must not cross Swift: here they
// become a return value and a message. Neither takes more memory or time than a picture of the size in its header needs.

/// What a file says about its picture, and what is in it besides.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// Samples of a pixel, 1 to 4: gray, gray and alpha, RGB, RGB and alpha.
  int channels;
  /// Bytes of a sample: 1, or 2 in the order of this machine.
  int sample_bytes;
  /// Offset and length of its EXIF data, which begins with the order of bytes; 0 bytes if there is none.
  size_t exif_offset;
  size_t exif_size;
  /// Bytes of its embedded colour profile; 0 if there is none.
  size_t profile_size;
  /// The exponent that the file states for its samples, times 100000; 0 if it states none.
  int32_t gamma;
} netconv_picture_header;

/// Bytes of a colour profile that are kept: those that come first, which have its name.
enum { NETCONV_PROFILE_ROOM = 4096 };

/// What went wrong, for people; empty if nothing did.
typedef struct {
  char text[200];
} netconv_picture_error;

/// Whether `size` bytes begin as a PNG does.
int netconv_is_png(const uint8_t *bytes, size_t size);

/// Whether `size` bytes begin as a JPEG does.
int netconv_is_jpeg(const uint8_t *bytes, size_t size);

/// Reads what comes before the samples, and puts the beginning of a colour profile as it is stored into `profile`, which
/// has NETCONV_PROFILE_ROOM bytes. It is no array of the header: Swift would import that as a tuple of so many members,
/// which takes it 20 seconds.
///
/// Returns 0, or -1 with a message.
int netconv_png_header(
    const uint8_t *bytes, size_t size, netconv_picture_header *header, uint8_t *profile,
    netconv_picture_error *error);

/// Reads all samples, row by row, into `samples`, which has room for those of the header.
///
/// Returns 0, or -1 with a message.
int netconv_png_samples(
    const uint8_t *bytes, size_t size, const netconv_picture_header *header, void *samples,
    netconv_picture_error *error);

/// As netconv_png_header.
int netconv_jpeg_header(
    const uint8_t *bytes, size_t size, netconv_picture_header *header, uint8_t *profile,
    netconv_picture_error *error);

/// Decodes a picture of one pixel. Libjpeg finds out with its first picture which vector instructions there are; on ARM it
/// reads a file for that. Returns 0, or -1.
int netconv_jpeg_prepare(void);

/// As netconv_png_samples. What libjpeg only warns of is an error, but for bytes between segments that mean nothing.
int netconv_jpeg_samples(
    const uint8_t *bytes, size_t size, const netconv_picture_header *header, void *samples,
    netconv_picture_error *error);

#endif
