#define _GNU_SOURCE
#include "csystemcalls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int netconv_exchange(const char *a, const char *b) {
#if defined(__APPLE__)
  return renamex_np(a, b, RENAME_SWAP);
#else
  return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
#endif
}

int netconv_rename_new(const char *from, const char *to) {
#if defined(__APPLE__)
  return renamex_np(from, to, RENAME_EXCL);
#else
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
#endif
}

void netconv_reserve(int descriptor, long long size) {
#if defined(__linux__)
  (void)fallocate(descriptor, 0, 0, size);
#else
  (void)descriptor;
  (void)size;
#endif
}

int netconv_open_unnamed(const char *folder) {
#ifdef O_TMPFILE
  return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#else
  (void)folder;
  errno = EOPNOTSUPP;
  return -1;
#endif
}
