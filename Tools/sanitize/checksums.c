#include "check.h"

#include <cchecksums.h>
#include <string.h>

/// The instruction and the table agree at every length and place, and on what RFC 3720 has of the polynomial.
void check_checksums(void) {
  CHECK(netconv_crc32c(0, "123456789", 9) == 0xE3069283);
  for (size_t size = 0; size < 300; size++) {
    uint8_t *bytes = room(size);
    for (size_t place = 0; place < size; place++) bytes[place] = (uint8_t)(place * 37 + size);
    for (size_t start = 0; start <= size && start < 17; start++) {
      uint32_t whole = netconv_crc32c(0, bytes + start, size - start);
      CHECK(whole == netconv_crc32c_table(0, bytes + start, size - start));
      size_t half = (size - start) / 2;
      uint32_t first = netconv_crc32c(0, bytes + start, half);
      CHECK(netconv_crc32c(first, bytes + start + half, size - start - half) == whole);
    }
    free(bytes);
  }
}
