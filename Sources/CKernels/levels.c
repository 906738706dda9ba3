#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "levels.h"
#include "level_list.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif

const netconv_level *netconv_available_level(int index) {
  const netconv_level *available[4] = {0};
  int count = 0;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
      && __builtin_cpu_supports("avx512vl"))
    available[count++] = &netconv_level_v4;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    available[count++] = &netconv_level_v3;
#elif defined(__aarch64__)
  available[count++] = &netconv_level_neon;
#endif
  available[count++] = &netconv_level_base;
  return index >= 0 && index < count ? available[index] : NULL;
}

const char *netconv_requested_level(void) { return getenv("NETCONV_CPU"); }

#if defined(__linux__)
// The number in a file, or the most where there is none, as in "max".
static long long number_in(const char *path) {
  long long number = LLONG_MAX;
  FILE *file = fopen(path, "r");
  if (file == NULL) return number;
  if (fscanf(file, "%lld", &number) != 1 || number <= 0) number = LLONG_MAX;
  fclose(file);
  return number;
}

// The cores that a container's share of time is worth, rounded up, in control groups of version 2 or 1.
static long long cores_of_quota(void) {
  long long quota = LLONG_MAX, period = LLONG_MAX;
  FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r");
  if (file != NULL) {
    if (fscanf(file, "%lld %lld", &quota, &period) != 2) quota = LLONG_MAX;
    fclose(file);
  } else {
    quota = number_in("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    period = number_in("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  }
  if (quota == LLONG_MAX || quota <= 0 || period <= 0) return LLONG_MAX;
  return quota / period + (quota % period != 0);
}
#endif

int netconv_core_count(void) {
  long long count = sysconf(_SC_NPROCESSORS_ONLN);
#if defined(__linux__)
  // Fewer than are online where the process is confined to some of them.
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) count = CPU_COUNT(&cores);
  const long long quota = cores_of_quota();
  if (quota < count) count = quota;
#endif
  return count > 0 ? (int)count : 1;
}

ptrdiff_t netconv_correlation_scratch(ptrdiff_t channels, ptrdiff_t radius) {
  const ptrdiff_t row = NETCONV_STRIP + 2 * radius * channels + NETCONV_STRIP_SLACK;
  // Behind the rows, the addresses of the rows under their taps.
  const ptrdiff_t addresses = 2 * radius + NETCONV_STRIP_ROWS;
  return NETCONV_STRIP_ROWS * row + addresses * (ptrdiff_t)(sizeof(float *) / sizeof(float));
}
