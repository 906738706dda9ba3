#include "cemitted_mpscnn.h"

// #embed is C23; clang offers it in every mode and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char images[] = {
#embed "../../Emitted/MPSCNN/Images.swift"
};
NETCONV_EMITTED_FILE(netconv_mpscnn_images, images)

static const unsigned char kernels[] = {
#embed "../../Emitted/MPSCNN/Kernels.swift"
};
NETCONV_EMITTED_FILE(netconv_mpscnn_kernels, kernels)

static const unsigned char normalization[] = {
#embed "../../Emitted/MPSCNN/Normalization.swift"
};
NETCONV_EMITTED_FILE(netconv_mpscnn_normalization, normalization)

static const unsigned char pixels[] = {
#embed "../../Emitted/MPSCNN/Pixels.swift"
};
NETCONV_EMITTED_FILE(netconv_mpscnn_pixels, pixels)

static const unsigned char textures[] = {
#embed "../../Emitted/MPSCNN/Textures.swift"
};
NETCONV_EMITTED_FILE(netconv_mpscnn_textures, textures)

static const unsigned char weights[] = {
#embed "../../Emitted/MPSCNN/Weights.swift"
};
NETCONV_EMITTED_FILE(netconv_mpscnn_weights, weights)
