#include "csha256.h"

#ifdef __linux__

// OpenSSL 3 calls these functions old, since its new ones can take another implementation at run time. They bring
// 24 kB into a program, and nothing else of libcrypto.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

_Static_assert(sizeof(netconv_sha256) >= sizeof(SHA256_CTX), "netconv_sha256 is too small");
_Static_assert(_Alignof(netconv_sha256) >= _Alignof(SHA256_CTX), "netconv_sha256 is not aligned");

void netconv_sha256_init(netconv_sha256 *state) { SHA256_Init((SHA256_CTX *)state); }

void netconv_sha256_update(netconv_sha256 *state, const void *bytes, size_t count) {
  SHA256_Update((SHA256_CTX *)state, bytes, count);
}

void netconv_sha256_final(netconv_sha256 *state, unsigned char *digest) {
  SHA256_Final(digest, (SHA256_CTX *)state);
}

#else

// Elsewhere the system has this for Swift; a C module has to hold something.
typedef int netconv_nothing;

#endif
