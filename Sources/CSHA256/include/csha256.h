#ifndef NETCONV_CSHA256_H
#define NETCONV_CSHA256_H

#ifdef __linux__

#include <stddef.h>
#include <stdint.h>

/// What is known of a message whose bytes were not all seen: room for SHA256_CTX of libcrypto.
typedef struct {
  uint64_t words[14];
} netconv_sha256;

/// Begins a message.
void netconv_sha256_init(netconv_sha256 *state);

/// Adds `count` bytes to the message.
void netconv_sha256_update(netconv_sha256 *state, const void *bytes, size_t count);

/// Ends the message and stores the 32 bytes of its SHA-256 at `digest`.
void netconv_sha256_final(netconv_sha256 *state, unsigned char *digest);

#endif

#endif
