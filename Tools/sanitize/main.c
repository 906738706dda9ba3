// netconv's C without Swift, for a sanitizer: small cases of each part. Usage: sanitize FIXTURES

#include "check.h"

int main(int count, char **arguments) {
  CHECK(count == 2);
  check_checksums();
  check_kernels();
  check_pictures(arguments[1]);
  check_hdf5(arguments[1]);
  return 0;
}
