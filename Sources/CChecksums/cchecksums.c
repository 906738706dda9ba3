#include "cchecksums.h"

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#define NETCONV_CRC32C __attribute__((target("sse4.2")))
#define NETCONV_CRC32C_WORD(checksum, word) (uint32_t)_mm_crc32_u64(checksum, word)
#define NETCONV_CRC32C_BYTE(checksum, byte) _mm_crc32_u8(checksum, byte)

static bool has_instruction(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("sse4.2");
}
#elif defined(__aarch64__) && (defined(__ARM_FEATURE_CRC32) || defined(__linux__))
#include <arm_acle.h>
#if defined(__ARM_FEATURE_CRC32)
#define NETCONV_CRC32C
static bool has_instruction(void) { return true; }
#else
#include <asm/hwcap.h>
#include <sys/auxv.h>
#define NETCONV_CRC32C __attribute__((target("crc")))
static bool has_instruction(void) { return getauxval(AT_HWCAP) & HWCAP_CRC32; }
#endif
#define NETCONV_CRC32C_WORD(checksum, word) __crc32cd(checksum, word)
#define NETCONV_CRC32C_BYTE(checksum, byte) __crc32cb(checksum, byte)
#endif

// What four bits at the end of the remainder come to. The polynomial is 0x1edc6f41, its bits reversed.
static const uint32_t table[16] = {
  0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
  0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};

uint32_t netconv_crc32c_table(uint32_t checksum, const void *bytes, size_t count) {
  const uint8_t *byte = bytes;
  uint32_t value = ~checksum;
  for (size_t index = 0; index < count; index++) {
    value ^= byte[index];
    value = value >> 4 ^ table[value & 15];
    value = value >> 4 ^ table[value & 15];
  }
  return ~value;
}

#ifdef NETCONV_CRC32C

NETCONV_CRC32C static uint32_t by_instruction(
  uint32_t checksum, const uint8_t *bytes, size_t count
) {
  uint32_t value = ~checksum;
  for (; count >= 8; bytes += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    value = NETCONV_CRC32C_WORD(value, word);
  }
  for (; count > 0; bytes++, count--) value = NETCONV_CRC32C_BYTE(value, *bytes);
  return ~value;
}

uint32_t netconv_crc32c(uint32_t checksum, const void *bytes, size_t count) {
  return has_instruction() ? by_instruction(checksum, bytes, count)
                           : netconv_crc32c_table(checksum, bytes, count);
}

#else

uint32_t netconv_crc32c(uint32_t checksum, const void *bytes, size_t count) {
  return netconv_crc32c_table(checksum, bytes, count);
}

#endif
