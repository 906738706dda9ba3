#include "cemitted_package.h"

// #embed is C23; clang offers it in every mode and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char manifest[] = {
#embed "../../Emitted/Package/Manifest.swift"
};
NETCONV_EMITTED_FILE(netconv_package_manifest, manifest)

static const unsigned char archive[] = {
#embed "../../Emitted/Package/Archive.swift"
};
NETCONV_EMITTED_FILE(netconv_package_archive, archive)

static const unsigned char directory[] = {
#embed "../../Emitted/Package/Directory.swift"
};
NETCONV_EMITTED_FILE(netconv_package_directory, directory)

static const unsigned char runner[] = {
#embed "../../Emitted/Package/Runner.swift"
};
NETCONV_EMITTED_FILE(netconv_package_runner, runner)

static const unsigned char classes[] = {
#embed "../../Emitted/Package/Classes.swift"
};
NETCONV_EMITTED_FILE(netconv_package_classes, classes)

static const unsigned char bitmaps[] = {
#embed "../../Emitted/Package/Bitmaps.swift"
};
NETCONV_EMITTED_FILE(netconv_package_bitmaps, bitmaps)

static const unsigned char accuracy[] = {
#embed "../../Emitted/Package/Accuracy.swift"
};
NETCONV_EMITTED_FILE(netconv_package_accuracy, accuracy)

static const unsigned char pictures[] = {
#embed "../../Emitted/Package/Pictures.swift"
};
NETCONV_EMITTED_FILE(netconv_package_pictures, pictures)

static const unsigned char record[] = {
#embed "../../Emitted/Package/Record.swift"
};
NETCONV_EMITTED_FILE(netconv_package_record, record)

static const unsigned char self_test[] = {
#embed "../../Emitted/Package/SelfTest.swift"
};
NETCONV_EMITTED_FILE(netconv_package_self_test, self_test)

static const unsigned char goldens[] = {
#embed "../../Emitted/Package/Goldens.swift"
};
NETCONV_EMITTED_FILE(netconv_package_goldens, goldens)

static const unsigned char comparison[] = {
#embed "../../Emitted/Package/Comparison.swift"
};
NETCONV_EMITTED_FILE(netconv_package_comparison, comparison)

static const unsigned char parameters[] = {
#embed "../../Emitted/Package/Parameters.swift"
};
NETCONV_EMITTED_FILE(netconv_package_parameters, parameters)

static const unsigned char resources[] = {
#embed "../../Emitted/Package/Resources.swift"
};
NETCONV_EMITTED_FILE(netconv_package_resources, resources)

static const unsigned char tests[] = {
#embed "../../Emitted/Package/Tests.swift"
};
NETCONV_EMITTED_FILE(netconv_package_tests, tests)

static const unsigned char readme[] = {
#embed "../../Emitted/Package/README.md"
};
NETCONV_EMITTED_FILE(netconv_package_readme, readme)
