// Confines itself as a process that reads for another does, and then does what its argument says. What reading does not
// need ends it; a call that is allowed, or that the filter has missed, ends with exit code 0.

#include <csystemcalls.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>

static int file;

static void *nothing(void *argument) { return argument; }

static void attempt(const char *what) {
  char bytes[16] = {0};
  struct stat status;
  struct rlimit limits = {1, 1};
  pthread_t thread;
  if (strcmp(what, "pread") == 0) {
    if (pread(file, bytes, sizeof bytes, 0) <= 0) exit(2);
  } else if (strcmp(what, "memory") == 0) {
    for (size_t size = 1; size < 64 << 20; size *= 2) {
      char *place = malloc(size);
      if (place == NULL) exit(2);
      memset(place, 1, size);
      place = realloc(place, 2 * size);
      free(place);
    }
  } else if (strcmp(what, "too much memory") == 0) {
    volatile size_t size = (size_t)1 << 40;
    void *volatile place = malloc(size);
    exit(place == NULL ? 0 : 2);
  } else if (strcmp(what, "abort") == 0) {
    abort();
  } else if (strcmp(what, "crash") == 0) {
    raise(SIGSEGV);
  } else if (strcmp(what, "time") == 0) {
    netconv_limit_processor_time(0);
    for (volatile unsigned long i = 0;; i++) {}
  } else if (strcmp(what, "open") == 0) {
    open("/etc/passwd", O_RDONLY);
  } else if (strcmp(what, "stat") == 0) {
    stat("/etc/passwd", &status);
  } else if (strcmp(what, "read") == 0) {
    syscall(SYS_read, file, bytes, sizeof bytes);
  } else if (strcmp(what, "write") == 0) {
    syscall(SYS_write, STDERR_FILENO, bytes, sizeof bytes);
  } else if (strcmp(what, "pwrite") == 0) {
    pwrite(file, bytes, sizeof bytes, 0);
  } else if (strcmp(what, "sendmsg") == 0) {
    struct iovec part = {bytes, sizeof bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    sendmsg(STDERR_FILENO, &message, 0);
  } else if (strcmp(what, "truncate") == 0) {
    ftruncate(file, 0);
  } else if (strcmp(what, "unlink") == 0) {
    unlink("/nowhere/at/all");
  } else if (strcmp(what, "socket") == 0) {
    socket(AF_INET, SOCK_STREAM, 0);
  } else if (strcmp(what, "fork") == 0) {
    if (fork() == 0) _exit(0);
  } else if (strcmp(what, "thread") == 0) {
    pthread_create(&thread, NULL, nothing, NULL);
  } else if (strcmp(what, "execute") == 0) {
    execl("/bin/true", "true", NULL);
  } else if (strcmp(what, "kill") == 0) {
    kill(getppid(), 0);
  } else if (strcmp(what, "signal to another") == 0) {
    syscall(SYS_tgkill, 1, 1, 0);
  } else if (strcmp(what, "trace") == 0) {
    syscall(SYS_ptrace, 0, 0, 0, 0);
  } else if (strcmp(what, "code in memory") == 0) {
    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  } else if (strcmp(what, "memory becomes code") == 0) {
    void *place = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(place, 4096, PROT_READ | PROT_EXEC);
  } else if (strcmp(what, "map a file") == 0) {
    mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
  } else if (strcmp(what, "limits of another") == 0) {
    syscall(SYS_prlimit64, getpid(), RLIMIT_CPU, &limits, NULL);
  } else if (strcmp(what, "other limits") == 0) {
    syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limits, NULL);
  } else if (strcmp(what, "another filter") == 0) {
    prctl(PR_SET_SECCOMP, 0, 0, 0, 0);
  } else if (strcmp(what, "clock") == 0) {
    syscall(SYS_clock_settime, 0, NULL);
  } else {
    exit(3);
  }
}

int main(int count, char **arguments) {
  if (count < 2) return 3;
  // A test may have blocked signals.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // In the place of the socket, so that both have one number.
  file = open(arguments[0], O_RDONLY | O_CLOEXEC);
  netconv_confine_resources((uint64_t)1 << 32);
  // What is open behind the socket and the memory is closed; a file that comes later is not.
  if (fcntl(file, F_GETFD) != -1 && file > 3) return 4;
  file = open(arguments[0], O_RDONLY | O_CLOEXEC);
  int error = netconv_confine_calls();
  if (error != 0) {
    fprintf(stderr, "no filter: %s\n", strerror(error));
    return 5;
  }
  for (int place = 1; place < count; place++) attempt(arguments[place]);
  _exit(0);
}
#else
int main(void) { return 5; }
#endif
