#include "cmnist.h"

// #embed is C23; clang offers it in every mode and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

const unsigned char netconv_mnist_images[] = {
#embed "../../Samples/mnist/t10k-images-idx3-ubyte.gz"
};
const size_t netconv_mnist_images_size = sizeof netconv_mnist_images;

const unsigned char netconv_mnist_labels[] = {
#embed "../../Samples/mnist/t10k-labels-idx1-ubyte.gz"
};
const size_t netconv_mnist_labels_size = sizeof netconv_mnist_labels;
