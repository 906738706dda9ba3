#ifndef NETCONV_CTOPICS_H
#define NETCONV_CTOPICS_H

#include <stddef.h>

/// A page of the folder Docs, embedded as it is: Markdown.
typedef struct {
  const unsigned char *start;
  size_t size;
} netconv_page;

netconv_page netconv_page_formats(void);
netconv_page netconv_page_targets(void);
netconv_page netconv_page_layers(void);
netconv_page netconv_page_model_json(void);
netconv_page netconv_page_rules(void);

#endif
