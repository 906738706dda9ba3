#ifndef NETCONV_CHDF5_LIBRARY_H
#define NETCONV_CHDF5_LIBRARY_H

// The library is loaded when the first HDF5 file is opened, not linked: it brings dozens of libraries with it,
// which take longer to load than most of what netconv does. The installed program has it inside, without those.

#include "chdf5_headers.h"

#include <stddef.h>

/// What netconv uses of libhdf5: functions, and the variables behind names such as H5T_NATIVE_INT64.
#define CHDF5_NAMES(NAME) \
  NAME(H5Aget_space) \
  NAME(H5Aget_type) \
  NAME(H5Aiterate2) \
  NAME(H5Aopen) \
  NAME(H5Aread) \
  NAME(H5Dget_create_plist) \
  NAME(H5Dget_offset) \
  NAME(H5Dget_space) \
  NAME(H5Dget_type) \
  NAME(H5Dread) \
  NAME(H5Eset_auto2) \
  NAME(H5Ewalk2) \
  NAME(H5FDregister) \
  NAME(H5Fclose) \
  NAME(H5Fget_create_plist) \
  NAME(H5Fopen) \
  NAME(H5Idec_ref) \
  NAME(H5Iget_type) \
  NAME(H5Lget_val) \
  NAME(H5Lunpack_elink_val) \
  NAME(H5PLset_loading_state) \
  NAME(H5P_CLS_DATASET_ACCESS_ID_g) \
  NAME(H5P_CLS_FILE_ACCESS_ID_g) \
  NAME(H5Pcreate) \
  NAME(H5Pget_chunk) \
  NAME(H5Pget_driver_info) \
  NAME(H5Pget_external) \
  NAME(H5Pget_external_count) \
  NAME(H5Pget_filter2) \
  NAME(H5Pget_layout) \
  NAME(H5Pget_nfilters) \
  NAME(H5Pget_sizes) \
  NAME(H5Pget_virtual_count) \
  NAME(H5Pget_virtual_filename) \
  NAME(H5Pset_chunk_cache) \
  NAME(H5Pset_driver) \
  NAME(H5Rdereference2) \
  NAME(H5Screate_simple) \
  NAME(H5Sget_simple_extent_dims) \
  NAME(H5Sget_simple_extent_ndims) \
  NAME(H5Sget_simple_extent_type) \
  NAME(H5Sselect_hyperslab) \
  NAME(H5T_C_S1_g) \
  NAME(H5T_NATIVE_DOUBLE_g) \
  NAME(H5T_NATIVE_INT64_g) \
  NAME(H5T_NATIVE_INT_g) \
  NAME(H5T_NATIVE_UINT64_g) \
  NAME(H5Tclose) \
  NAME(H5Tcopy) \
  NAME(H5Tcreate) \
  NAME(H5Tget_class) \
  NAME(H5Tget_ebias) \
  NAME(H5Tget_fields) \
  NAME(H5Tget_member_name) \
  NAME(H5Tget_nmembers) \
  NAME(H5Tget_norm) \
  NAME(H5Tget_offset) \
  NAME(H5Tget_order) \
  NAME(H5Tget_precision) \
  NAME(H5Tget_sign) \
  NAME(H5Tget_size) \
  NAME(H5Tget_strpad) \
  NAME(H5Tis_variable_str) \
  NAME(H5Tregister) \
  NAME(H5Tset_order) \
  NAME(H5Tset_size) \
  NAME(H5dont_atexit) \
  NAME(H5free_memory) \
  NAME(H5get_libversion) \
  NAME(H5open) \
  CHDF5_VERSIONED_NAMES(NAME)

#if H5_VERSION_GE(1, 12, 0)
#define CHDF5_VERSIONED_NAMES(NAME) \
  NAME(H5Literate2) \
  NAME(H5Oget_info3) \
  NAME(H5Oopen_by_token)
#else
#define CHDF5_VERSIONED_NAMES(NAME) \
  NAME(H5Literate) \
  NAME(H5Oget_info2) \
  NAME(H5Oopen_by_addr)
#endif

/// Where each of them is, with the types of libhdf5's headers.
typedef struct {
#define CHDF5_MEMBER(name) __typeof__(name) *name;
  CHDF5_NAMES(CHDF5_MEMBER)
#undef CHDF5_MEMBER
} chdf5_library;

/// The library; all null until ``chdf5_load`` has loaded it.
///
/// It is written once, under the lock that protects all of libhdf5, before anything else is called.
extern chdf5_library libhdf5 __attribute__((swift_attr("nonisolated(unsafe)")));

/// What came of an attempt to load the library.
typedef enum {
  CHDF5_LOADED,
  CHDF5_NOT_LOADED,     // the reason is the system's
  CHDF5_NO_SUCH_NAME,   // the reason is the name that the library lacks
  CHDF5_OTHER_VERSION,  // the reason is the library's version
} chdf5_outcome;

/// Loads the library `name` into ``libhdf5`` if it is of the version `major`.`minor`; one that is inside has no name.
///
/// Nothing changes on failure, and `reason`, `capacity` bytes, then gets a text.
chdf5_outcome chdf5_load(
    const char *name, unsigned major, unsigned minor, char *reason, size_t capacity);

#endif
