#ifndef NETCONV_CSYSTEMCALLS_MEMORY_H
#define NETCONV_CSYSTEMCALLS_MEMORY_H

/// Bytes of memory that the machine has, or -1 if the system does not tell.
long long netconv_physical_memory(void);

/// Bytes of addresses that this process may use (`ulimit -v`), or -1 if there is no limit.
long long netconv_address_limit(void);

/// Bytes of addresses and of memory that this process uses; 0 where the system does not tell.
void netconv_memory_used(long long *addresses, long long *resident);

/// Cores that are online, at least 1.
int netconv_online_cores(void);

/// Ends this process with `status` and `message` on standard error when it traps because memory cannot be had.
///
/// A trap while `probe` bytes can be had does what it did before. `message` has to stay.
void netconv_end_without_memory(const char *message, int status, long long probe);

#endif
