// A read-only virtual file driver: a window into a file.
//
// Source: HDF5 Virtual File Layer, H5FDdevelop.h (H5FDpublic.h before 1.14), struct H5FD_class_t.

#include "chdf5_window.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

typedef struct {
  int descriptor;
  uint64_t base;
  uint64_t length;
} window_info;

// libhdf5 hands out pointers to the first member, so it must come first.
typedef struct {
  H5FD_t base_class;
  int descriptor;
  uint64_t base;
  uint64_t length;
  haddr_t end_of_allocation;
} window_file;

static hid_t driver_id = -1;

static H5FD_t *window_open(const char *name, unsigned flags, hid_t access, haddr_t max_address) {
  (void)name;
  (void)max_address;
  const window_info *info = libhdf5.H5Pget_driver_info(access);
  if (info == NULL || (flags & chdf5_read_write()) != 0) return NULL;
  window_file *file = calloc(1, sizeof *file);
  if (file == NULL) return NULL;
  file->descriptor = fcntl(info->descriptor, F_DUPFD_CLOEXEC, 0);
  if (file->descriptor < 0) {
    free(file);
    return NULL;
  }
  file->base = info->base;
  file->length = info->length;
  return &file->base_class;
}

static herr_t window_close(H5FD_t *handle) {
  window_file *file = (window_file *)handle;
  int result = close(file->descriptor);
  free(file);
  return result < 0 ? -1 : 0;
}

// Tells libhdf5 whether two handles mean one file: each is opened for itself, so that nothing is asked of the system.
static int window_compare(const H5FD_t *a, const H5FD_t *b) {
  return a == b ? 0 : (uintptr_t)a < (uintptr_t)b ? -1 : 1;
}

static herr_t window_query(const H5FD_t *handle, unsigned long *flags) {
  (void)handle;
  // Small reads may be served from a larger one.
  *flags = H5FD_FEAT_DATA_SIEVE;
  return 0;
}

static haddr_t window_end_of_allocation(const H5FD_t *handle, H5FD_mem_t type) {
  (void)type;
  return ((const window_file *)handle)->end_of_allocation;
}

static herr_t window_set_end_of_allocation(H5FD_t *handle, H5FD_mem_t type, haddr_t address) {
  (void)type;
  ((window_file *)handle)->end_of_allocation = address;
  return 0;
}

static haddr_t window_end_of_file(const H5FD_t *handle, H5FD_mem_t type) {
  (void)type;
  return ((const window_file *)handle)->length;
}

static herr_t window_handle(H5FD_t *handle, hid_t access, void **descriptor) {
  (void)access;
  *descriptor = &((window_file *)handle)->descriptor;
  return 0;
}

static herr_t window_read(
    H5FD_t *handle, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *buffer) {
  (void)type;
  (void)transfer;
  const window_file *file = (const window_file *)handle;
  if (address > file->length || size > file->length - address) return -1;
  char *place = buffer;
  uint64_t offset = file->base + address;
  while (size > 0) {
    ssize_t count = pread(file->descriptor, place, size, (off_t)offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return -1;
    place += count;
    offset += (uint64_t)count;
    size -= (size_t)count;
  }
  return 0;
}

static herr_t window_write(H5FD_t *handle, H5FD_mem_t type, hid_t transfer, haddr_t address,
                           size_t size, const void *buffer) {
  (void)handle;
  (void)type;
  (void)transfer;
  (void)address;
  (void)size;
  (void)buffer;
  return -1;
}

static const H5FD_class_t window_class = {
#if H5_VERSION_GE(1, 14, 0)
    .version = H5FD_CLASS_VERSION,
    // In the range that the library leaves to drivers that are not registered with it.
    .value = (H5FD_class_value_t)300,
#endif
    .name = "netconv window",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(window_info),
    .open = window_open,
    .close = window_close,
    .cmp = window_compare,
    .query = window_query,
    .get_eoa = window_end_of_allocation,
    .set_eoa = window_set_end_of_allocation,
    .get_eof = window_end_of_file,
    .get_handle = window_handle,
    .read = window_read,
    .write = window_write,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

herr_t chdf5_window_use(hid_t access, int descriptor, uint64_t base, uint64_t length) {
  if (driver_id < 0) driver_id = libhdf5.H5FDregister(&window_class);
  if (driver_id < 0) return -1;
  window_info info = {.descriptor = descriptor, .base = base, .length = length};
  return libhdf5.H5Pset_driver(access, driver_id, &info);
}
