#ifndef NETCONV_CSYSTEMCALLS_HELPER_H
#define NETCONV_CSYSTEMCALLS_HELPER_H

// A process of our own that does what may go wrong, and has nothing but a socket and some memory that both share.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A process that was started.
typedef struct {
  pid_t pid;
  int socket;    // to the process
  void *memory;  // shared with it
  size_t memory_size;
} netconv_helper;

/// Starts the program `path` with the argument `argument`.
///
/// Its standard input is a socket, descriptor 3 is `memory_size` bytes of shared memory, and nothing else is open. Of the
/// environment only LD_LIBRARY_PATH is left, by which libraries are found. It has a process group of its own, so that
/// Ctrl-C does not reach it. Returns 0, or an error number of the system's.
int netconv_helper_start(
    const char *path, const char *argument, size_t memory_size, netconv_helper *helper);

/// Ends the process, if it has not ended, waits for it, and gives back what it took.
///
/// Returns its status as `waitpid` has it, or -1 if that is not known.
int netconv_helper_end(netconv_helper *helper, int kill_first);

/// Sends bytes, and with the first of them a descriptor unless it is negative. Returns 0, or an error number.
int netconv_socket_send(int socket, const void *bytes, size_t size, int descriptor);

/// Receives at most `size` bytes, and perhaps a descriptor, else -1.
///
/// Returns how many, 0 at the end, or -1 with errno set.
ssize_t netconv_socket_receive(int socket, void *bytes, size_t size, int *descriptor);

/// Waits until there is something to receive, or the other side is gone.
///
/// Returns 1 if so, 0 after `milliseconds` or a signal, or -1 with errno set.
int netconv_socket_wait(int socket, int milliseconds);

/// Maps the shared memory that descriptor 3 is. Returns NULL if it is not there.
void *netconv_shared_memory(size_t size);

/// Closes what a parent process has left open behind the socket, and turns off what is not wanted in a helper: dumps of
/// its memory, more than `address_space` bytes of it, and handlers for crashes.
void netconv_confine_resources(uint64_t address_space);

/// Ends this process when the other side of the socket is gone, whatever it is doing. Returns 0, or an error number.
int netconv_end_with(int socket);

/// Leaves this process, with all its threads, what reading needs: files that it has open or is given, memory, the
/// socket 0. Any other system call ends it. Returns 0, or an error number if the system has no such filter.
int netconv_confine_calls(void);

/// Ends this process after `seconds` more of its processor time.
void netconv_limit_processor_time(unsigned seconds);

#endif
