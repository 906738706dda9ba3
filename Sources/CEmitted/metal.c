#include "cemitted_metal.h"

// #embed is C23; clang offers it in every mode and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char colors[] = {
#embed "../../Emitted/Metal/Colors.swift"
};
NETCONV_EMITTED_FILE(netconv_metal_colors, colors)

static const unsigned char context[] = {
#embed "../../Emitted/Metal/Context.swift"
};
NETCONV_EMITTED_FILE(netconv_metal_context, context)

static const unsigned char filter[] = {
#embed "../../Emitted/Metal/Filter.swift"
};
NETCONV_EMITTED_FILE(netconv_metal_filter, filter)

static const unsigned char filters[] = {
#embed "../../Emitted/Metal/Filters.metal"
};
NETCONV_EMITTED_FILE(netconv_metal_filters, filters)

static const unsigned char form[] = {
#embed "../../Emitted/Metal/Form.swift"
};
NETCONV_EMITTED_FILE(netconv_metal_form, form)

static const unsigned char histogram[] = {
#embed "../../Emitted/Metal/Histogram.swift"
};
NETCONV_EMITTED_FILE(netconv_metal_histogram, histogram)

static const unsigned char manifest[] = {
#embed "../../Emitted/Metal/Manifest.swift"
};
NETCONV_EMITTED_FILE(netconv_metal_manifest, manifest)

static const unsigned char pass[] = {
#embed "../../Emitted/Metal/Pass.swift"
};
NETCONV_EMITTED_FILE(netconv_metal_pass, pass)

static const unsigned char readme[] = {
#embed "../../Emitted/Metal/README.md"
};
NETCONV_EMITTED_FILE(netconv_metal_readme, readme)

static const unsigned char step[] = {
#embed "../../Emitted/Metal/Step.swift"
};
NETCONV_EMITTED_FILE(netconv_metal_step, step)

// What pixels are made from is the same on both processors.
static const unsigned char taps[] = {
#embed "../ImageFilters/Steps/Taps.swift"
};
NETCONV_EMITTED_FILE(netconv_metal_taps, taps)

static const unsigned char view[] = {
#embed "../../Emitted/Metal/View.swift"
};
NETCONV_EMITTED_FILE(netconv_metal_view, view)
