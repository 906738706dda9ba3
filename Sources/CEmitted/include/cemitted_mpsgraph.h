#ifndef NETCONV_CEMITTED_MPSGRAPH_H
#define NETCONV_CEMITTED_MPSGRAPH_H

#include "cemitted_file.h"

// Emitted/MPSGraph: the runtime code of packages with MPSGraph.

netconv_emitted_file netconv_mpsgraph_activations(void);
netconv_emitted_file netconv_mpsgraph_executables(void);
netconv_emitted_file netconv_mpsgraph_layers(void);
netconv_emitted_file netconv_mpsgraph_textures(void);
netconv_emitted_file netconv_mpsgraph_values(void);

#endif
