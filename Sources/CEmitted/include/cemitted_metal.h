#ifndef NETCONV_CEMITTED_METAL_H
#define NETCONV_CEMITTED_METAL_H

#include "cemitted_file.h"

// Emitted/Metal: the code of packages of filters.

netconv_emitted_file netconv_metal_colors(void);
netconv_emitted_file netconv_metal_context(void);
netconv_emitted_file netconv_metal_filter(void);
netconv_emitted_file netconv_metal_filters(void);
netconv_emitted_file netconv_metal_form(void);
netconv_emitted_file netconv_metal_histogram(void);
netconv_emitted_file netconv_metal_manifest(void);
netconv_emitted_file netconv_metal_pass(void);
netconv_emitted_file netconv_metal_readme(void);
netconv_emitted_file netconv_metal_step(void);
netconv_emitted_file netconv_metal_taps(void);
netconv_emitted_file netconv_metal_view(void);

#endif
