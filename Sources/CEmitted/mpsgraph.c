#include "cemitted_mpsgraph.h"

// #embed is C23; clang offers it in every mode and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char activations[] = {
#embed "../../Emitted/MPSGraph/Activations.swift"
};
NETCONV_EMITTED_FILE(netconv_mpsgraph_activations, activations)

static const unsigned char executables[] = {
#embed "../../Emitted/MPSGraph/Executables.swift"
};
NETCONV_EMITTED_FILE(netconv_mpsgraph_executables, executables)

static const unsigned char layers[] = {
#embed "../../Emitted/MPSGraph/Layers.swift"
};
NETCONV_EMITTED_FILE(netconv_mpsgraph_layers, layers)

static const unsigned char textures[] = {
#embed "../../Emitted/MPSGraph/Textures.swift"
};
NETCONV_EMITTED_FILE(netconv_mpsgraph_textures, textures)

static const unsigned char values[] = {
#embed "../../Emitted/MPSGraph/Values.swift"
};
NETCONV_EMITTED_FILE(netconv_mpsgraph_values, values)
