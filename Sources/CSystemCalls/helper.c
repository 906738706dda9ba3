#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "csystemcalls_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#define MEMORY_DESCRIPTOR 3

// Descriptors below this number are the helper's: none of ours may be in the way when they are put there.
static int above_the_helpers(int descriptor) {
  if (descriptor < 0 || descriptor > MEMORY_DESCRIPTOR) return descriptor;
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, MEMORY_DESCRIPTOR + 1);
  int error = errno;
  close(descriptor);
  errno = error;
  return copy;
}

static int shared_memory(size_t size) {
#ifdef __linux__
  int descriptor = (int)syscall(SYS_memfd_create, "netconv", MFD_CLOEXEC | MFD_ALLOW_SEALING);
#else
  char name[32];
  snprintf(name, sizeof name, "/netconv-%d-%x", (int)getpid(), (unsigned)arc4random());
  int descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (descriptor >= 0) shm_unlink(name);
#endif
  descriptor = above_the_helpers(descriptor);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, (off_t)size) != 0) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
  }
#ifdef __linux__
  // A helper that made it smaller would end us when we read it.
  fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
#endif
  return descriptor;
}

static int socket_pair(int sockets[2]) {
#ifdef __linux__
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return -1;
#else
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return -1;
  fcntl(sockets[0], F_SETFD, FD_CLOEXEC);
  fcntl(sockets[1], F_SETFD, FD_CLOEXEC);
  int on = 1;
  setsockopt(sockets[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  sockets[0] = above_the_helpers(sockets[0]);
  sockets[1] = above_the_helpers(sockets[1]);
  return sockets[0] < 0 || sockets[1] < 0 ? -1 : 0;
}

static int spawn(
    const char *path, const char *argument, int socket, int memory, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, memory, MEMORY_DESCRIPTOR);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // Signals as a program expects them, whatever this thread blocks and this process ignores.
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
  posix_spawnattr_setflags(&attributes, flags);
  char *arguments[] = {"netconv", (char *)argument, NULL};
  char *environment[] = {NULL, NULL};
  const char *folders = getenv("LD_LIBRARY_PATH");
  char *variable = NULL;
  if (folders != NULL && asprintf(&variable, "LD_LIBRARY_PATH=%s", folders) > 0) {
    environment[0] = variable;
  }
  int error = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
  free(variable);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int netconv_helper_start(
    const char *path, const char *argument, size_t memory_size, netconv_helper *helper) {
  int sockets[2] = {-1, -1};
  int error = 0;
  int memory = shared_memory(memory_size);
  void *place = MAP_FAILED;
  if (memory < 0 || socket_pair(sockets) != 0) {
    error = errno;
  } else {
    place = mmap(NULL, memory_size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    error = place == MAP_FAILED ? errno : spawn(path, argument, sockets[1], memory, &helper->pid);
  }
  if (memory >= 0) close(memory);
  if (sockets[1] >= 0) close(sockets[1]);
  if (error != 0) {
    if (place != MAP_FAILED) munmap(place, memory_size);
    if (sockets[0] >= 0) close(sockets[0]);
    return error;
  }
  helper->socket = sockets[0];
  helper->memory = place;
  helper->memory_size = memory_size;
  return 0;
}

int netconv_helper_end(netconv_helper *helper, int kill_first) {
  close(helper->socket);
  munmap(helper->memory, helper->memory_size);
  if (kill_first) kill(helper->pid, SIGKILL);
  int status = 0;
  pid_t ended;
  do {
    ended = waitpid(helper->pid, &status, 0);
  } while (ended < 0 && errno == EINTR);
  return ended == helper->pid ? status : -1;
}

// MARK: The socket

int netconv_socket_send(int socket, const void *bytes, size_t size, int descriptor) {
  const char *place = bytes;
  while (size > 0) {
    struct iovec part = {.iov_base = (void *)place, .iov_len = size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union {
      struct cmsghdr header;
      char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    if (descriptor >= 0) {
      memset(&control, 0, sizeof control);
      message.msg_control = control.bytes;
      message.msg_controllen = sizeof control.bytes;
      struct cmsghdr *header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof(int));
      memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
#ifdef MSG_NOSIGNAL
    ssize_t count = sendmsg(socket, &message, MSG_NOSIGNAL);
#else
    ssize_t count = sendmsg(socket, &message, 0);
#endif
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    descriptor = -1;
    place += count;
    size -= (size_t)count;
  }
  return 0;
}

ssize_t netconv_socket_receive(int socket, void *bytes, size_t size, int *descriptor) {
  struct iovec part = {.iov_base = bytes, .iov_len = size};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = control.bytes,
      .msg_controllen = sizeof control.bytes,
  };
#ifdef MSG_CMSG_CLOEXEC
  int flags = MSG_CMSG_CLOEXEC;
#else
  int flags = 0;
#endif
  ssize_t count;
  do {
    count = recvmsg(socket, &message, flags);
  } while (count < 0 && errno == EINTR);
  int received = -1;
  if (count >= 0) {
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
      memcpy(&received, CMSG_DATA(header), sizeof received);
    }
  }
  if (descriptor != NULL) {
    *descriptor = received;
  } else if (received >= 0) {
    close(received);
  }
  return count;
}

int netconv_socket_wait(int socket, int milliseconds) {
  struct pollfd one = {.fd = socket, .events = POLLIN};
  int count = poll(&one, 1, milliseconds);
  if (count < 0) return errno == EINTR ? 0 : -1;
  return count > 0;
}

// MARK: In the helper

void *netconv_shared_memory(size_t size) {
  void *place = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, MEMORY_DESCRIPTOR, 0);
  close(MEMORY_DESCRIPTOR);
  return place == MAP_FAILED ? NULL : place;
}

static void limit(int resource, rlim_t most) {
  struct rlimit limits;
  if (getrlimit(resource, &limits) != 0) return;
  if (limits.rlim_max == RLIM_INFINITY || limits.rlim_max > most) limits.rlim_max = most;
  if (limits.rlim_cur == RLIM_INFINITY || limits.rlim_cur > most) limits.rlim_cur = most;
  setrlimit(resource, &limits);
}

void netconv_confine_resources(uint64_t address_space) {
  // Swift's own handlers start a program that shows the stack, and would be ended for that.
  const int crashes[] = {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTRAP, SIGQUIT};
  for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++) {
    signal(crashes[index], SIG_DFL);
  }
#ifdef __linux__
  // Descriptors that a program which embeds us has not marked as its own.
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
  if (syscall(SYS_close_range, MEMORY_DESCRIPTOR + 1, ~0U, 0) != 0) {
    for (int descriptor = MEMORY_DESCRIPTOR + 1; descriptor < 1024; descriptor++) close(descriptor);
  }
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  limit(RLIMIT_AS, (rlim_t)address_space);
#else
  limit(RLIMIT_DATA, (rlim_t)address_space);
#endif
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
}

// A thread that waits for the end of the other side.
typedef struct {
  int socket;
  int has_started;
  pthread_mutex_t mutex;
  pthread_cond_t started;
} watch;

static void *end_with(void *argument) {
  watch *mine = argument;
#ifdef POLLRDHUP
  struct pollfd one = {.fd = mine->socket, .events = POLLRDHUP};
#else
  struct pollfd one = {.fd = mine->socket, .events = 0};
#endif
  pthread_mutex_lock(&mine->mutex);
  mine->has_started = 1;
  pthread_cond_signal(&mine->started);
  pthread_mutex_unlock(&mine->mutex);
  for (;;) {
    int count = poll(&one, 1, -1);
    if (count > 0 && one.revents != 0) _exit(0);
    if (count < 0 && errno != EINTR) return NULL;
  }
}

int netconv_end_with(int socket) {
  static watch only = {.mutex = PTHREAD_MUTEX_INITIALIZER, .started = PTHREAD_COND_INITIALIZER};
  only.socket = socket;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  int error = pthread_create(&thread, &attributes, end_with, &only);
  pthread_attr_destroy(&attributes);
  if (error != 0) return error;
  // A thread begins with system calls that the filter forbids.
  pthread_mutex_lock(&only.mutex);
  while (!only.has_started) pthread_cond_wait(&only.started, &only.mutex);
  pthread_mutex_unlock(&only.mutex);
  return 0;
}

void netconv_limit_processor_time(unsigned seconds) {
  struct timespec used;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return;
  struct rlimit limits;
  if (getrlimit(RLIMIT_CPU, &limits) != 0) return;
  // Begun seconds count.
  rlim_t most = (rlim_t)used.tv_sec + 1 + seconds;
  limits.rlim_cur = limits.rlim_max == RLIM_INFINITY || most < limits.rlim_max ? most : limits.rlim_max;
  setrlimit(RLIMIT_CPU, &limits);
}
