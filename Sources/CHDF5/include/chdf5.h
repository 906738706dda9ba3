#ifndef NETCONV_CHDF5_H
#define NETCONV_CHDF5_H

#include "chdf5_library.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// MARK: Names that are macros

// Swift imports no macro that is an expression; H5F_ACC_RDONLY and H5P_FILE_ACCESS are comma
// expressions that first initialise the library, which is done when it is loaded.

/// H5P_FILE_ACCESS: the class of a file access property list.
static inline hid_t chdf5_file_access_class(void) { return *libhdf5.H5P_CLS_FILE_ACCESS_ID_g; }

/// H5P_DATASET_ACCESS: the class of a dataset access property list.
static inline hid_t chdf5_dataset_access_class(void) { return *libhdf5.H5P_CLS_DATASET_ACCESS_ID_g; }

/// The value of H5F_ACC_RDONLY.
static inline unsigned chdf5_read_only(void) { return 0x0000u; }

/// The value of H5F_ACC_RDWR, a bit.
static inline unsigned chdf5_read_write(void) { return 0x0001u; }

/// H5P_DEFAULT: in later versions a cast expression.
static inline hid_t chdf5_default(void) { return H5P_DEFAULT; }

/// H5S_ALL: a cast expression.
static inline hid_t chdf5_all(void) { return H5S_ALL; }

/// H5E_DEFAULT: the errors of the last call on this thread.
static inline hid_t chdf5_last_errors(void) { return H5E_DEFAULT; }

/// HADDR_UNDEF: a cast expression; no place in the file.
static inline haddr_t chdf5_undefined_address(void) { return HADDR_UNDEF; }

// The types of values in memory are comma expressions, too.

/// H5T_NATIVE_INT64.
static inline hid_t chdf5_int64(void) { return *libhdf5.H5T_NATIVE_INT64_g; }

/// H5T_NATIVE_UINT64.
static inline hid_t chdf5_uint64(void) { return *libhdf5.H5T_NATIVE_UINT64_g; }

/// H5T_NATIVE_DOUBLE.
static inline hid_t chdf5_double(void) { return *libhdf5.H5T_NATIVE_DOUBLE_g; }

/// The order of bytes of this machine, H5T_ORDER_LE or H5T_ORDER_BE.
static inline H5T_order_t chdf5_native_order(void) {
  return libhdf5.H5Tget_order(*libhdf5.H5T_NATIVE_INT_g);
}

// MARK: Functions that differ between versions

/// What tells an object of a file from every other: its address up to 1.10, its token since.
typedef struct {
  uint64_t low;
  uint64_t high;
} chdf5_address;

/// The address of an open object; H5Oget_info has another signature in each version.
static inline herr_t chdf5_get_address(hid_t object, chdf5_address *address) {
  address->low = address->high = 0;
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  herr_t status = libhdf5.H5Oget_info3(object, &info, H5O_INFO_BASIC);
  if (status >= 0) memcpy(address, &info.token, sizeof info.token);
#else
  H5O_info_t info;
  herr_t status = libhdf5.H5Oget_info2(object, &info, H5O_INFO_BASIC);
  if (status >= 0) address->low = info.addr;
#endif
  return status;
}

/// Opens the object at `address` without following a link.
static inline hid_t chdf5_open(hid_t file, chdf5_address address) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_token_t token;
  memcpy(&token, &address, sizeof token);
  return libhdf5.H5Oopen_by_token(file, token);
#else
  return libhdf5.H5Oopen_by_addr(file, address.low);
#endif
}

/// Opens the dataset at `address` with an access property list, which only H5Rdereference2 can do
/// without following a link.
static inline hid_t chdf5_open_dataset(hid_t file, chdf5_address address, hid_t access) {
  hobj_ref_t reference;
  memcpy(&reference, &address.low, sizeof reference);
  return libhdf5.H5Rdereference2(file, access, H5R_OBJECT, &reference);
}

// MARK: Links

/// One link of a group, valid during the visit.
typedef struct {
  const char *name;
  int kind;               // H5L_TYPE_HARD, _SOFT, _EXTERNAL or user-defined
  chdf5_address address;  // of a hard link
  size_t value_size;      // of any other link
} chdf5_link;

/// Called with each link; 0 goes on.
typedef herr_t (*chdf5_link_visitor)(const chdf5_link *link, void *context);

typedef struct {
  chdf5_link_visitor visit;
  void *context;
} chdf5_link_visit;

#if H5_VERSION_GE(1, 12, 0)
typedef H5L_info2_t chdf5_link_info;
#else
typedef H5L_info_t chdf5_link_info;
#endif

static inline herr_t chdf5_visit_link(
    hid_t group, const char *name, const chdf5_link_info *info, void *context) {
  (void)group;
  chdf5_link_visit *visit = (chdf5_link_visit *)context;
  chdf5_link link = {name, (int)info->type, {0, 0}, 0};
  if (info->type != H5L_TYPE_HARD) {
    link.value_size = info->u.val_size;
  } else {
#if H5_VERSION_GE(1, 12, 0)
    memcpy(&link.address, &info->u.token, sizeof info->u.token);
#else
    link.address.low = info->u.address;
#endif
  }
  return visit->visit(&link, visit->context);
}

/// Visits the links of `group` in any order; H5Literate and its structure have another name in each
/// version. In any other order 1.10 frees what it has not allocated when a dense group is damaged.
static inline herr_t chdf5_visit_links(hid_t group, chdf5_link_visitor visit, void *context) {
  chdf5_link_visit both = {visit, context};
#if H5_VERSION_GE(1, 12, 0)
  return libhdf5.H5Literate2(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, chdf5_visit_link, &both);
#else
  return libhdf5.H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, chdf5_visit_link, &both);
#endif
}

// MARK: Variable-length strings

/// Leaves a reference to a string as it is in the file: 4 bytes of length, then its place.
static inline herr_t chdf5_convert_nothing(
    hid_t from, hid_t to, H5T_cdata_t *data, size_t count, size_t stride, size_t other_stride,
    void *buffer, void *background, hid_t transfer) {
  (void)count, (void)stride, (void)other_stride, (void)buffer, (void)background, (void)transfer;
  if (data->command == H5T_CONV_INIT) data->need_bkg = H5T_BKG_NO;
  if (data->command != H5T_CONV_CONV) return 0;
  return libhdf5.H5Tget_size(from) == libhdf5.H5Tget_size(to) ? 0 : -1;
}

/// Allows variable-length strings to be read as opaque values: references that libhdf5 does not follow.
static inline herr_t chdf5_register_string_references(void) {
  hid_t string = libhdf5.H5Tcopy(*libhdf5.H5T_C_S1_g);
  hid_t opaque = libhdf5.H5Tcreate(H5T_OPAQUE, 1);
  herr_t status = libhdf5.H5Tset_size(string, H5T_VARIABLE);
  if (status >= 0) {
    status = libhdf5.H5Tregister(
        H5T_PERS_SOFT, "string references", string, opaque, chdf5_convert_nothing);
  }
  libhdf5.H5Tclose(opaque);
  libhdf5.H5Tclose(string);
  return status;
}

#endif
