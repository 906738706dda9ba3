#ifndef NETCONV_CKERNELS_LEVEL_LIST_H
#define NETCONV_CKERNELS_LEVEL_LIST_H

#include "levels.h"

extern const netconv_level netconv_level_v4, netconv_level_v3, netconv_level_neon, netconv_level_base;

#endif
