#include "check.h"

#include <chdf5_window.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int load(void) {
  static const char *names[] = {"libhdf5_serial.so.103", "libhdf5_serial.so.310", "libhdf5_serial.so",
                                "libhdf5.so.103", "libhdf5.so.200", "libhdf5.so.310", "libhdf5.so"};
  char reason[300];
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    if (chdf5_load(names[index], H5_VERS_MAJOR, H5_VERS_MINOR, reason, sizeof reason) == CHDF5_LOADED) return 1;
  }
  return 0;
}

/// Opens the HDF5 file that is a part of a file; returns whether libhdf5 takes it.
static int opens(int file, uint64_t base, uint64_t length) {
  hid_t access = libhdf5.H5Pcreate(chdf5_file_access_class());
  CHECK(access >= 0);
  CHECK(chdf5_window_use(access, file, base, length) >= 0);
  hid_t opened = libhdf5.H5Fopen("window", chdf5_read_only(), access);
  // No window is written to.
  CHECK(libhdf5.H5Fopen("window", chdf5_read_write(), access) < 0);
  libhdf5.H5Idec_ref(access);
  if (opened < 0) return 0;
  CHECK(libhdf5.H5Fclose(opened) >= 0);
  return 1;
}

/// A file, the same behind other bytes, and parts of it.
void check_hdf5(const char *fixtures) {
  CHECK(load());
  CHECK(libhdf5.H5open() >= 0);
  CHECK(libhdf5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL) >= 0);
  char path[4096];
  snprintf(path, sizeof path, "%s/hdf5/values.h5", fixtures);
  size_t size;
  uint8_t *bytes = contents(path, &size);
  FILE *shifted = tmpfile();
  CHECK(shifted != NULL);
  CHECK(fwrite("sevenly", 1, 7, shifted) == 7);
  CHECK(fwrite(bytes, 1, size, shifted) == size);
  CHECK(fflush(shifted) == 0);
  CHECK(opens(fileno(shifted), 7, size));
  CHECK(!opens(fileno(shifted), 6, size));
  CHECK(!opens(fileno(shifted), 7, size / 2));
  CHECK(!opens(fileno(shifted), 7 + size, 0));
  // Longer than the file, whose end is then found while it is read.
  opens(fileno(shifted), 7, size + 100);
  fclose(shifted);
  free(bytes);
}
