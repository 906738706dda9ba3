#ifndef NETCONV_CCHECKSUMS_H
#define NETCONV_CCHECKSUMS_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (RFC 3720, Castagnoli's polynomial) of `count` bytes behind those whose CRC-32C is `checksum`; 0 at the start.
///
/// Where the CPU has an instruction for it, that is used: SSE4.2, or the CRC extension of ARMv8.
uint32_t netconv_crc32c(uint32_t checksum, const void *bytes, size_t count);

/// The same from a table, as on a CPU without the instruction.
uint32_t netconv_crc32c_table(uint32_t checksum, const void *bytes, size_t count);

#endif
