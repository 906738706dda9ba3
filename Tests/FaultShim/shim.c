// Loaded into netconv before the system's library: lets one call fail, so that a test sees what follows.
//
// NETCONV_FAULT=N      the Nth call that reads, writes, opens, lists, renames, links, locks, reserves or starts fails, once
// NETCONV_FAULT=mN     the Nth call that takes memory fails, once
// NETCONV_FAULT_LOG=F  F gets the number of calls, and the name of the one that failed; "create" for an open that creates

#if defined(__linux__)

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <spawn.h>
#include <unistd.h>

static atomic_long calls, allocations;
static long failing_call, failing_allocation;
static _Atomic(const char *) failed;

__attribute__((constructor)) static void start(void) {
  // What other libraries have done before is none of netconv's, and not counted.
  atomic_store(&allocations, 0);
  atomic_store(&calls, 0);
  const char *fault = getenv("NETCONV_FAULT");
  if (fault == NULL) return;
  if (fault[0] == 'm') {
    failing_allocation = atol(fault + 1);
  } else {
    failing_call = atol(fault);
  }
}

// Also at once when a call fails: the program may not live to its end.
__attribute__((destructor)) static void write_log(void) {
  const char *path = getenv("NETCONV_FAULT_LOG");
  if (path == NULL) return;
  char line[128];
  const char *name = atomic_load(&failed);
  int length = snprintf(line, sizeof line, "%ld %ld %s\n", atomic_load(&calls), atomic_load(&allocations),
                        name == NULL ? "-" : name);
  long file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0) return;
  (void)syscall(SYS_write, file, line, (size_t)length);
  (void)syscall(SYS_close, file);
}

static int fails(const char *name, int error) {
  if (atomic_fetch_add(&calls, 1) + 1 != failing_call) return 0;
  atomic_store(&failed, name);
  write_log();
  errno = error;
  return 1;
}

static int lacks_memory(const char *name) {
  if (atomic_fetch_add(&allocations, 1) + 1 != failing_allocation) return 0;
  atomic_store(&failed, name);
  write_log();
  errno = ENOMEM;
  return 1;
}

// The system's own function.
#define SYSTEM(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define REPLACE(result, name, parameters, arguments, error, failure) \
  result name parameters {                                           \
    static __typeof__(&name) next;                                   \
    if (next == NULL) next = SYSTEM(name);                           \
    return fails(#name, error) ? (failure) : next arguments;         \
  }

REPLACE(ssize_t, read, (int f, void *b, size_t n), (f, b, n), EIO, -1)
REPLACE(ssize_t, pread, (int f, void *b, size_t n, off_t o), (f, b, n, o), EIO, -1)
REPLACE(ssize_t, pread64, (int f, void *b, size_t n, off64_t o), (f, b, n, o), EIO, -1)
REPLACE(ssize_t, write, (int f, const void *b, size_t n), (f, b, n), ENOSPC, -1)
REPLACE(ssize_t, pwrite, (int f, const void *b, size_t n, off_t o), (f, b, n, o), ENOSPC, -1)
REPLACE(ssize_t, pwrite64, (int f, const void *b, size_t n, off64_t o), (f, b, n, o), ENOSPC, -1)
REPLACE(size_t, fwrite, (const void *b, size_t s, size_t n, FILE *f), (b, s, n, f), ENOSPC, 0)
REPLACE(size_t, fread, (void *b, size_t s, size_t n, FILE *f), (b, s, n, f), EIO, 0)
REPLACE(int, fflush, (FILE *f), (f), ENOSPC, EOF)
REPLACE(FILE *, fopen, (const char *p, const char *m), (p, m), EMFILE, NULL)
REPLACE(int, rename, (const char *a, const char *b), (a, b), EIO, -1)
REPLACE(int, renameat2, (int d, const char *a, int e, const char *b, unsigned g), (d, a, e, b, g), EIO, -1)
REPLACE(int, link, (const char *a, const char *b), (a, b), EIO, -1)
REPLACE(int, unlink, (const char *p), (p), EIO, -1)
REPLACE(int, rmdir, (const char *p), (p), EIO, -1)
REPLACE(int, mkdir, (const char *p, mode_t m), (p, m), ENOSPC, -1)
REPLACE(int, chmod, (const char *p, mode_t m), (p, m), EIO, -1)
REPLACE(int, ftruncate, (int f, off_t n), (f, n), ENOSPC, -1)
REPLACE(int, ftruncate64, (int f, off64_t n), (f, n), ENOSPC, -1)
REPLACE(int, fallocate, (int f, int m, off_t o, off_t n), (f, m, o, n), ENOSPC, -1)
REPLACE(int, fallocate64, (int f, int m, off64_t o, off64_t n), (f, m, o, n), ENOSPC, -1)
REPLACE(int, flock, (int f, int o), (f, o), EIO, -1)
REPLACE(int, stat, (const char *p, struct stat *s), (p, s), EIO, -1)
REPLACE(int, lstat, (const char *p, struct stat *s), (p, s), EIO, -1)
REPLACE(int, fstat, (int f, struct stat *s), (f, s), EIO, -1)
REPLACE(int, statvfs, (const char *p, struct statvfs *s), (p, s), EIO, -1)
REPLACE(int, fstatvfs, (int f, struct statvfs *s), (f, s), EIO, -1)
REPLACE(DIR *, opendir, (const char *p), (p), EMFILE, NULL)
REPLACE(struct dirent *, readdir, (DIR *d), (d), EIO, NULL)
REPLACE(int, socketpair, (int d, int t, int p, int v[2]), (d, t, p, v), EMFILE, -1)
REPLACE(ssize_t, sendmsg, (int f, const struct msghdr *m, int g), (f, m, g), EIO, -1)
REPLACE(ssize_t, recvmsg, (int f, struct msghdr *m, int g), (f, m, g), EIO, -1)
REPLACE(int, posix_spawn,
        (pid_t * i, const char *p, const posix_spawn_file_actions_t *c, const posix_spawnattr_t *t, char *const *v,
         char *const *e),
        (i, p, c, t, v, e), EAGAIN, EAGAIN)
REPLACE(int, pthread_create, (pthread_t * t, const pthread_attr_t *a, void *(*f)(void *), void *d), (t, a, f, d),
        EAGAIN, EAGAIN)

// libdispatch looks once a second how its threads are, and ends the program where it cannot: nothing of netconv's.
static int is_of_dispatch(const char *path) {
  int thread, length = 0;
  return sscanf(path, "/proc/%d/stat%n", &thread, &length) == 1 && length > 0 && path[length] == '\0';
}

#define REPLACE_OPEN(name, parameters, arguments)                                   \
  int name parameters {                                                             \
    static __typeof__(&name) next;                                                  \
    if (next == NULL) next = SYSTEM(name);                                          \
    mode_t mode = 0;                                                                \
    if (flags & O_CREAT) {                                                          \
      va_list list;                                                                 \
      va_start(list, flags);                                                        \
      mode = va_arg(list, mode_t);                                                  \
      va_end(list);                                                                 \
    }                                                                               \
    if (is_of_dispatch(path)) return next arguments;                                \
    const int creates = (flags & O_CREAT) != 0;                                     \
    return fails(creates ? "create" : #name, creates ? ENOSPC : EIO) ? -1 : next arguments; \
  }

REPLACE_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
REPLACE_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
REPLACE_OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
REPLACE_OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

// Of the commands of fcntl, the one that takes a descriptor.
int fcntl(int file, int command, ...) {
  static __typeof__(&fcntl) next;
  if (next == NULL) next = SYSTEM(fcntl);
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  if (command == F_DUPFD_CLOEXEC && fails("fcntl", EMFILE)) return -1;
  return next(file, command, argument);
}

// Of the calls without a function of their own, the one that makes a file in memory. What is not given is not looked at.
long syscall(long number, ...) {
  static __typeof__(&syscall) next;
  if (next == NULL) next = SYSTEM(syscall);
  va_list list;
  va_start(list, number);
  long a[6];
  for (int place = 0; place < 6; place++) a[place] = va_arg(list, long);
  va_end(list);
  if (number == SYS_memfd_create && fails("memfd_create", EMFILE)) return -1;
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

void *mmap(void *p, size_t n, int r, int g, int f, off_t o) {
  if (fails("mmap", ENOMEM)) return MAP_FAILED;
  return (void *)syscall(SYS_mmap, p, n, r, g, f, o);
}

// The names by which the system's library calls itself: dlsym may take memory.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t n) { return lacks_memory("malloc") ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t s) { return lacks_memory("calloc") ? NULL : __libc_calloc(n, s); }
void *realloc(void *p, size_t n) { return lacks_memory("realloc") ? NULL : __libc_realloc(p, n); }
void *memalign(size_t a, size_t n) { return lacks_memory("memalign") ? NULL : __libc_memalign(a, n); }
void *aligned_alloc(size_t a, size_t n) { return lacks_memory("aligned_alloc") ? NULL : __libc_memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n) {
  if (lacks_memory("posix_memalign")) return ENOMEM;
  *p = __libc_memalign(a, n);
  return *p == NULL ? ENOMEM : 0;
}

#endif
