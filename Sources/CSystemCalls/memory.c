#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "csystemcalls_memory.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

long long netconv_physical_memory(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (long long)pages * page : -1;
}

long long netconv_address_limit(void) {
#if defined(RLIMIT_AS)
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    const unsigned long long most = 1ULL << 62;
    return (long long)(limit.rlim_cur < most ? limit.rlim_cur : most);
  }
#endif
  return -1;
}

void netconv_memory_used(long long *addresses, long long *resident) {
  *addresses = *resident = 0;
#if defined(__linux__)
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return;
  if (fscanf(file, "%lld %lld", addresses, resident) != 2) *addresses = *resident = 0;
  fclose(file);
  const long page = sysconf(_SC_PAGESIZE);
  *addresses *= page;
  *resident *= page;
#endif
}

int netconv_online_cores(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

// MARK: The end

static const int traps[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS};
#define TRAP_COUNT (sizeof traps / sizeof *traps)
static struct sigaction previous[TRAP_COUNT];
static const char *last_words;
static int last_status;
static size_t probe_size;

static void trapped(int number) {
  void *probe = mmap(NULL, probe_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
  if (probe == MAP_FAILED && errno == ENOMEM) {
    if (write(STDERR_FILENO, last_words, strlen(last_words)) < 0) _exit(last_status);
    _exit(last_status);
  }
  if (probe != MAP_FAILED) munmap(probe, probe_size);
  // The instruction runs once more, and ends the process as it did before.
  for (size_t index = 0; index < TRAP_COUNT; index++) {
    if (traps[index] == number) sigaction(number, &previous[index], NULL);
  }
}

void netconv_end_without_memory(const char *message, int status, long long probe) {
  last_words = message;
  last_status = status;
  probe_size = (size_t)probe;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = trapped;
  sigemptyset(&action.sa_mask);
  for (size_t index = 0; index < TRAP_COUNT; index++) {
    sigaction(traps[index], &action, &previous[index]);
  }
}
