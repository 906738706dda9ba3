#include "cmnist.h"

// #embed is C23; clang offers it in every mode and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char images[] = {
#embed "../../Samples/mnist/t10k-images-idx3-ubyte.gz"
};
const unsigned char *netconv_mnist_images_start(void) { return images; }
const size_t netconv_mnist_images_size = sizeof images;

static const unsigned char labels[] = {
#embed "../../Samples/mnist/t10k-labels-idx1-ubyte.gz"
};
const unsigned char *netconv_mnist_labels_start(void) { return labels; }
const size_t netconv_mnist_labels_size = sizeof labels;
