// What the checks have in common: a failure says where, and ends the program.
#ifndef SANITIZE_CHECK_H
#define SANITIZE_CHECK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

/// Memory of exactly `size` bytes, so that a byte too far is found.
static inline void *room(size_t size) {
  void *place = malloc(size > 0 ? size : 1);
  CHECK(place != NULL);
  return place;
}

/// A copy of `size` bytes of a file, or of all of it if that is less.
static inline uint8_t *contents(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fprintf(stderr, "%s cannot be opened\n", path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = room(*size);
  CHECK(fread(bytes, 1, *size, file) == *size);
  fclose(file);
  return bytes;
}

void check_checksums(void);
void check_kernels(void);
void check_pictures(const char *fixtures);
void check_hdf5(const char *fixtures);

#endif
