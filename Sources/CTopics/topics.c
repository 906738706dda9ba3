#include "ctopics.h"

// #embed is C23; clang offers it in every mode and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Arrays of unknown length cannot be seen from Swift.
#define NETCONV_PAGE(function, bytes) \
  netconv_page function(void) { return (netconv_page){bytes, sizeof bytes}; }

static const unsigned char formats[] = {
#embed "../../Docs/formats/README.md"
};
NETCONV_PAGE(netconv_page_formats, formats)

static const unsigned char targets[] = {
#embed "../../Docs/targets/README.md"
};
NETCONV_PAGE(netconv_page_targets, targets)

static const unsigned char layers[] = {
#embed "../../Docs/keras-layers.md"
};
NETCONV_PAGE(netconv_page_layers, layers)

static const unsigned char model_json[] = {
#embed "../../Docs/model-json.md"
};
NETCONV_PAGE(netconv_page_model_json, model_json)

static const unsigned char rules[] = {
#embed "../../Docs/rules.md"
};
NETCONV_PAGE(netconv_page_rules, rules)
