#ifndef NETCONV_CEMITTED_PACKAGE_H
#define NETCONV_CEMITTED_PACKAGE_H

#include "cemitted_file.h"

// Emitted/Package: what packages have in every language.

netconv_emitted_file netconv_package_manifest(void);
netconv_emitted_file netconv_package_archive(void);
netconv_emitted_file netconv_package_directory(void);
netconv_emitted_file netconv_package_runner(void);
netconv_emitted_file netconv_package_classes(void);
netconv_emitted_file netconv_package_bitmaps(void);
netconv_emitted_file netconv_package_accuracy(void);
netconv_emitted_file netconv_package_pictures(void);
netconv_emitted_file netconv_package_record(void);
netconv_emitted_file netconv_package_self_test(void);
netconv_emitted_file netconv_package_goldens(void);
netconv_emitted_file netconv_package_readme(void);
netconv_emitted_file netconv_package_tests(void);
netconv_emitted_file netconv_package_resources(void);
netconv_emitted_file netconv_package_parameters(void);
netconv_emitted_file netconv_package_comparison(void);

#endif
