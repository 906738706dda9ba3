#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "levels.h"
#include "level_list.h"

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

int netconv_core_count(void) {
#if defined(__linux__)
  // Fewer than are online where the process is confined to some of them.
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
#endif
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}
