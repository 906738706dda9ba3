#ifndef NETCONV_CHDF5_HEADERS_H
#define NETCONV_CHDF5_HEADERS_H

// Only the headers of libhdf5 are used when netconv is built. pkg-config knows where they are, but SwiftPM
// would link the library that it names as well.
#if __has_include(<hdf5.h>)
#include <hdf5.h>
#if H5_VERSION_GE(1, 14, 0)
#include <H5FDdevelop.h>
#endif
#elif __has_include(<hdf5/serial/hdf5.h>)  // Debian
#include <hdf5/serial/hdf5.h>
#if H5_VERSION_GE(1, 14, 0)
#include <hdf5/serial/H5FDdevelop.h>
#endif
#elif __has_include(</opt/homebrew/include/hdf5.h>)  // Homebrew
#include </opt/homebrew/include/hdf5.h>
#if H5_VERSION_GE(1, 14, 0)
#include </opt/homebrew/include/H5FDdevelop.h>
#endif
#else
#error "hdf5.h is not there: install libhdf5-dev (Debian, Ubuntu) or hdf5 (Homebrew), or set CPATH to its folder"
#endif

#endif
