#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "csystemcalls_helper.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Source: seccomp(2), linux/seccomp.h; the low half of an argument comes first on these machines.

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

#define ARGUMENT(n) ((unsigned)(offsetof(struct seccomp_data, args) + 8 * (n)))
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define END BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

// Allows a call; the number is loaded before and after each of these.
#define CALL(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), ALLOW

// Allows a call whose argument `n` is `value`, and no other call of the name.
#define CALL_IF_EQUAL(name, n, value) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4), LOAD(ARGUMENT(n)), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), 0, 1), ALLOW, END

// Allows a call whose first argument is 0 and whose second one is `value`, and no other call of the name.
#define CALL_IF_ZERO_AND(name, value) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 6), LOAD(ARGUMENT(0)), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3), LOAD(ARGUMENT(1)), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), 0, 1), ALLOW, END

// Allows a call whose argument `n` has none of the bits `bits`, and no other call of the name.
#define CALL_WITHOUT(name, n, bits) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4), LOAD(ARGUMENT(n)), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (unsigned)(bits), 1, 0), ALLOW, END

// Allows a call whose argument `n` has none of `bits`, while argument `m` has one of `wanted`.
#define CALL_WITHOUT_AND_WITH(name, n, bits, m, wanted) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 6), LOAD(ARGUMENT(n)), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (unsigned)(bits), 3, 0), LOAD(ARGUMENT(m)), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (unsigned)(wanted), 0, 1), ALLOW, END

int netconv_confine_calls(void) {
  struct sock_filter filter[] = {
      LOAD(offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      END,
      LOAD(offsetof(struct seccomp_data, nr)),
      // Files: those that are open already. Their numbers are not known in advance, and none can be written.
      CALL(pread64),
      CALL(close),
      CALL_IF_EQUAL(fcntl, 1, F_DUPFD_CLOEXEC),
      // The socket.
      CALL_IF_EQUAL(recvmsg, 0, STDIN_FILENO),
      CALL_IF_EQUAL(sendmsg, 0, STDIN_FILENO),
      CALL(ppoll),
#ifdef __NR_poll
      CALL(poll),
#endif
      CALL(restart_syscall),
      // Memory, none of it executable or of a file.
      CALL_WITHOUT_AND_WITH(mmap, 2, PROT_EXEC, 3, MAP_ANONYMOUS),
      CALL_WITHOUT(mprotect, 2, PROT_EXEC),
      CALL(munmap),
      CALL(mremap),
      CALL(madvise),
      CALL(brk),
      // Threads, of which no more can be made.
      CALL(futex),
      CALL(sched_yield),
      CALL(gettid),
      CALL(getpid),
      // The clock, and the limit that is moved on with it.
      CALL(clock_gettime),
      CALL(gettimeofday),
      CALL_IF_ZERO_AND(prlimit64, RLIMIT_CPU),
      CALL(getrandom),
      // The end, by a signal to this very process too.
      CALL(rt_sigprocmask),
      CALL(rt_sigaction),
      CALL(rt_sigreturn),
      CALL_IF_EQUAL(tgkill, 0, (unsigned)getpid()),
      CALL(exit),
      CALL(exit_group),
      END,
  };
  struct sock_fprog program = {
      .len = (unsigned short)(sizeof filter / sizeof *filter), .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  long outcome =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (outcome < 0) return errno;
  // The number of a thread that could not be filtered.
  return outcome > 0 ? EAGAIN : 0;
}

#else

int netconv_confine_calls(void) { return ENOSYS; }

#endif
