#ifndef NETCONV_CPAGES_H
#define NETCONV_CPAGES_H

#include <stddef.h>

/// A file of the folder Pages, embedded as it is: CSS or JavaScript.
typedef struct {
  const unsigned char *start;
  size_t size;
} netconv_page_file;

/// What all pages look like.
netconv_page_file netconv_page_style(void);
/// The beginning of each page's script, and of what it is made of.
netconv_page_file netconv_page_elements(void);
netconv_page_file netconv_page_tables(void);
netconv_page_file netconv_page_plots(void);
netconv_page_file netconv_page_graphs(void);
netconv_page_file netconv_page_layouts(void);
/// The end of each page's script, one for each kind of page.
netconv_page_file netconv_page_inspect(void);
netconv_page_file netconv_page_verify(void);
netconv_page_file netconv_page_diff(void);
netconv_page_file netconv_page_relate(void);
netconv_page_file netconv_page_goldens(void);

#endif
