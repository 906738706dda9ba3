#ifndef NETCONV_CEMITTED_FILE_H
#define NETCONV_CEMITTED_FILE_H

#include <stddef.h>

/// A file of the folder Emitted, embedded as it is: Swift, Metal or Markdown.
typedef struct {
  const unsigned char *start;
  size_t size;
} netconv_emitted_file;

/// Defines the function that gives an embedded file; arrays of unknown length cannot be seen from Swift.
#define NETCONV_EMITTED_FILE(function, bytes) \
  netconv_emitted_file function(void) { return (netconv_emitted_file){bytes, sizeof bytes}; }

#endif
