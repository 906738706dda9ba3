// What headers, start files and archives of newer systems ask for, made of what glibc 2.31 has.
//
// Versions below are those of x86-64. A function of glibc that is not here and not in glibc-2.31.symbols is an error of
// the linker, which names it.

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/types.h>

// MARK: The start of a program

// Since 2.34 a program leaves it to __libc_start_main to call its constructors, which reads them from the program's
// dynamic section if it is handed no function for that. An older one calls nothing then.

typedef int (*main_function)(int, char **, char **);
typedef void (*constructor)(int, char **, char **);

extern int start_main_2_2_5(
    main_function main, int count, char **arguments, main_function construct, void (*destruct)(void),
    void (*end_of_loader)(void), void *end_of_stack);
__asm__(".symver start_main_2_2_5, __libc_start_main@GLIBC_2.2.5");

extern void _init(void);
extern const constructor __init_array_start[] __attribute__((visibility("hidden")));
extern const constructor __init_array_end[] __attribute__((visibility("hidden")));

static int construct(int count, char **arguments, char **environment) {
  _init();
  size_t constructors = (size_t)(__init_array_end - __init_array_start);
  for (size_t i = 0; i < constructors; i++) __init_array_start[i](count, arguments, environment);
  return 0;
}

// Destructors are called by the loader, as ever.
__attribute__((visibility("hidden"))) int __libc_start_main(
    main_function main, int count, char **arguments, main_function none, void (*destruct)(void),
    void (*end_of_loader)(void), void *end_of_stack) {
  (void)none;
  return start_main_2_2_5(
      main, count, arguments, construct, destruct, end_of_loader, end_of_stack);
}

// MARK: Facts about files

// Until 2.33 these were in each program, and called a function that has the version of the structure first.

#define STRUCTURE_VERSION 1

extern int __xstat(int version, const char *path, struct stat *facts);
extern int __lxstat(int version, const char *path, struct stat *facts);
extern int __fxstat(int version, int file, struct stat *facts);
extern int __fxstatat(int version, int folder, const char *path, struct stat *facts, int flags);

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN int stat(const char *restrict path, struct stat *restrict facts) {
  return __xstat(STRUCTURE_VERSION, path, facts);
}

HIDDEN int lstat(const char *restrict path, struct stat *restrict facts) {
  return __lxstat(STRUCTURE_VERSION, path, facts);
}

HIDDEN int fstat(int file, struct stat *facts) { return __fxstat(STRUCTURE_VERSION, file, facts); }

HIDDEN int fstatat(
    int folder, const char *restrict path, struct stat *restrict facts, int flags) {
  return __fxstatat(STRUCTURE_VERSION, folder, path, facts, flags);
}

// On 64-bit systems the structures are the same.
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "stat64 is another structure");

HIDDEN int stat64(const char *restrict path, struct stat64 *restrict facts) {
  return __xstat(STRUCTURE_VERSION, path, (struct stat *)facts);
}

HIDDEN int lstat64(const char *restrict path, struct stat64 *restrict facts) {
  return __lxstat(STRUCTURE_VERSION, path, (struct stat *)facts);
}

HIDDEN int fstat64(int file, struct stat64 *facts) {
  return __fxstat(STRUCTURE_VERSION, file, (struct stat *)facts);
}

// MARK: What libstdc++ asks

/// Whether there is one thread, so that counters need not be atomic; since 2.32. False is always right.
HIDDEN char __libc_single_threaded = 0;

/// 32 random bits; since 2.36.
HIDDEN uint32_t arc4random(void) {
  uint32_t bits;
  while (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits) {
    if (errno != EINTR) abort();
  }
  return bits;
}

// MARK: What libgcc asks

/// Finds the tables by which exceptions unwind the stack; since 2.35. The program has none
/// (Tools/size/left-out.ld), and -1 says so.
HIDDEN int _dl_find_object(void *address, void *object) {
  (void)address, (void)object;
  return -1;
}
