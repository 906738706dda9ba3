#ifndef NETCONV_CEMITTED_MPSCNN_H
#define NETCONV_CEMITTED_MPSCNN_H

#include "cemitted_file.h"

// Emitted/MPSCNN: the runtime code of packages with MPSCNN.

netconv_emitted_file netconv_mpscnn_images(void);
netconv_emitted_file netconv_mpscnn_kernels(void);
netconv_emitted_file netconv_mpscnn_normalization(void);
netconv_emitted_file netconv_mpscnn_pixels(void);
netconv_emitted_file netconv_mpscnn_textures(void);
netconv_emitted_file netconv_mpscnn_weights(void);

#endif
