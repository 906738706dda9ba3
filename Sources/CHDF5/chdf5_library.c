#include "chdf5_library.h"

#include <dlfcn.h>
#include <stdio.h>

chdf5_library libhdf5;

chdf5_outcome chdf5_load(
    const char *name, unsigned major, unsigned minor, char *reason, size_t capacity) {
  // Functions that are never called need not be found, and nobody else needs the library's names.
  void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (handle == NULL) {
    const char *words = dlerror();
    snprintf(reason, capacity, "%s", words == NULL ? name : words);
    return CHDF5_NOT_LOADED;
  }
  // The version comes first: another one may have other names.
  chdf5_library library;
  library.H5dont_atexit = (__typeof__(library.H5dont_atexit))dlsym(handle, "H5dont_atexit");
  library.H5get_libversion =
      (__typeof__(library.H5get_libversion))dlsym(handle, "H5get_libversion");
  if (library.H5dont_atexit == NULL || library.H5get_libversion == NULL) {
    snprintf(reason, capacity, "H5get_libversion");
    return CHDF5_NO_SUCH_NAME;
  }
  // Files are closed by netconv, and of a damaged one the library may keep a part that crashes it at exit.
  // It listens only before any other call, and refuses if another user in this process was first.
  library.H5dont_atexit();
  unsigned found[3] = {0, 0, 0};
  library.H5get_libversion(&found[0], &found[1], &found[2]);
  if (found[0] != major || found[1] != minor) {
    snprintf(reason, capacity, "%u.%u.%u", found[0], found[1], found[2]);
    return CHDF5_OTHER_VERSION;
  }
#define CHDF5_FIND(member) \
  library.member = (__typeof__(library.member))dlsym(handle, #member); \
  if (library.member == NULL) { \
    snprintf(reason, capacity, "%s", #member); \
    return CHDF5_NO_SUCH_NAME; \
  }
  CHDF5_NAMES(CHDF5_FIND)
#undef CHDF5_FIND
  libhdf5 = library;
  return CHDF5_LOADED;
}
