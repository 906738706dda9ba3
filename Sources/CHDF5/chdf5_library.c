#include "chdf5_library.h"

#include <stdio.h>

chdf5_library libhdf5;

#ifdef CHDF5_INSIDE

// The library is a part of the program.
static void *open_library(const char *name) { return (void *)name; }
static const char *reason_not_opened(void) { return NULL; }
#define CHDF5_ADDRESS(handle, member) (&member)

#else

#include <dlfcn.h>

// Functions that are never called need not be found, and nobody else needs the library's names.
static void *open_library(const char *name) { return dlopen(name, RTLD_LAZY | RTLD_LOCAL); }
static const char *reason_not_opened(void) { return dlerror(); }
#define CHDF5_ADDRESS(handle, member) dlsym(handle, #member)

#endif

// Puts the address of a function or variable into `library`, or says that there is none.
#define CHDF5_FIND(member) \
  library.member = (__typeof__(library.member))CHDF5_ADDRESS(handle, member); \
  if (library.member == NULL) { \
    snprintf(reason, capacity, "%s", #member); \
    return CHDF5_NO_SUCH_NAME; \
  }

chdf5_outcome chdf5_load(
    const char *name, unsigned major, unsigned minor, char *reason, size_t capacity) {
  void *handle = open_library(name);
  if (handle == NULL) {
    const char *words = reason_not_opened();
    snprintf(reason, capacity, "%s", words == NULL ? name : words);
    return CHDF5_NOT_LOADED;
  }
  // The version comes first: another one may have other names.
  chdf5_library library;
  CHDF5_FIND(H5get_libversion)
  CHDF5_FIND(H5dont_atexit)
  // Files are closed by netconv, and of a damaged one the library may keep a part that crashes it at exit.
  // It listens only before any other call, and refuses if another user in this process was first.
  library.H5dont_atexit();
  unsigned found[3] = {0, 0, 0};
  library.H5get_libversion(&found[0], &found[1], &found[2]);
  if (found[0] != major || found[1] != minor) {
    snprintf(reason, capacity, "%u.%u.%u", found[0], found[1], found[2]);
    return CHDF5_OTHER_VERSION;
  }
  CHDF5_NAMES(CHDF5_FIND)
  libhdf5 = library;
  return CHDF5_LOADED;
}
