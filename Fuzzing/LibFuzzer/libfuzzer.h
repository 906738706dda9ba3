#ifndef NETCONV_LIBFUZZER_H
#define NETCONV_LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

// libFuzzer comes without a header. With this function it can be called from a program that has a main of its own.
//
// Source: llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library".
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

#endif
