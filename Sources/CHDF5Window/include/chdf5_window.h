#ifndef NETCONV_CHDF5_WINDOW_H
#define NETCONV_CHDF5_WINDOW_H

#include <chdf5.h>
#include <stdint.h>

/// Makes a file access list read an HDF5 file that is a part of another file.
///
/// The part begins at `base` in the file that `descriptor` has open and is `length` bytes long. The
/// descriptor is duplicated when a file is opened and stays the caller's. libhdf5 itself looks for a file
/// at 0, 512, 1024, … only. Must be called under the lock that protects all of libhdf5.
///
/// Returns a negative number on failure.
herr_t chdf5_window_use(hid_t access, int descriptor, uint64_t base, uint64_t length);

#endif
