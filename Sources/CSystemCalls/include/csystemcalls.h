#ifndef NETCONV_CSYSTEMCALLS_H
#define NETCONV_CSYSTEMCALLS_H

#include "csystemcalls_helper.h"
#include "csystemcalls_memory.h"

/// Exchanges two paths in one step: renameat2(RENAME_EXCHANGE) on Linux, renamex_np(RENAME_SWAP) on macOS.
///
/// Swift cannot see either: glibc hides the first behind _GNU_SOURCE, and its flag is a macro.
/// Returns 0, or -1 with errno set (EINVAL or ENOSYS where the file system cannot do it).
int netconv_exchange(const char *a, const char *b);

/// Renames `from` to `to` only if `to` does not exist. Returns 0, or -1 with errno set.
int netconv_rename_new(const char *from, const char *to);

/// Makes room on the disk for a file of `size` bytes, which it then has, where the system can: fallocate on Linux.
void netconv_reserve(int descriptor, long long size);

/// Opens a file without a name, on the disk that `folder` is on, for reading and writing: O_TMPFILE on Linux.
///
/// Returns its descriptor, or -1 with errno set; not every system and file system can do it.
int netconv_open_unnamed(const char *folder);

#endif
