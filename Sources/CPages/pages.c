#include "cpages.h"

// #embed is C23; clang offers it in every mode and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

/// Defines the function that gives an embedded file; arrays of unknown length cannot be seen from Swift.
#define NETCONV_PAGE_FILE(name)                  \
  netconv_page_file netconv_page_##name(void) {  \
    return (netconv_page_file){name, sizeof name}; \
  }

static const unsigned char style[] = {
#embed "../../Pages/style.css"
};
NETCONV_PAGE_FILE(style)

static const unsigned char elements[] = {
#embed "../../Pages/elements.js"
};
NETCONV_PAGE_FILE(elements)

static const unsigned char tables[] = {
#embed "../../Pages/tables.js"
};
NETCONV_PAGE_FILE(tables)

static const unsigned char plots[] = {
#embed "../../Pages/plots.js"
};
NETCONV_PAGE_FILE(plots)

static const unsigned char graphs[] = {
#embed "../../Pages/graphs.js"
};
NETCONV_PAGE_FILE(graphs)

static const unsigned char layouts[] = {
#embed "../../Pages/layouts.js"
};
NETCONV_PAGE_FILE(layouts)

static const unsigned char inspect[] = {
#embed "../../Pages/inspect.js"
};
NETCONV_PAGE_FILE(inspect)

static const unsigned char verify[] = {
#embed "../../Pages/verify.js"
};
NETCONV_PAGE_FILE(verify)

static const unsigned char diff[] = {
#embed "../../Pages/diff.js"
};
NETCONV_PAGE_FILE(diff)

static const unsigned char relate[] = {
#embed "../../Pages/relate.js"
};
NETCONV_PAGE_FILE(relate)

static const unsigned char goldens[] = {
#embed "../../Pages/goldens.js"
};
NETCONV_PAGE_FILE(goldens)
