#ifndef NETCONV_CKERNELS_H
#define NETCONV_CKERNELS_H

#include "activation.h"
#include "depthwise.h"
#include "elementwise.h"
#include "filters.h"
#include "gemm.h"
#include "levels.h"
#include "pooling.h"
#include "spin.h"

#endif
