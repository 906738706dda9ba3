#ifndef NETCONV_CKERNELS_H
#define NETCONV_CKERNELS_H

#include "depthwise.h"
#include "gemm.h"
#include "levels.h"
#include "pooling.h"
#include "spin.h"

#endif
