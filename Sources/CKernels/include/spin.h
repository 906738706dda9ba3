#ifndef NETCONV_CKERNELS_SPIN_H
#define NETCONV_CKERNELS_SPIN_H

/// Tells the CPU that the caller waits in a loop, so that the core's other thread gets on.
static inline void netconv_spin(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

#endif
