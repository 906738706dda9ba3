#ifndef NETCONV_CMNIST_H
#define NETCONV_CMNIST_H

#include <stddef.h>

/// The 10,000 test images of MNIST, as gzip-compressed IDX.
extern const unsigned char netconv_mnist_images[];
/// Bytes in netconv_mnist_images.
extern const size_t netconv_mnist_images_size;

/// The labels of those images, as gzip-compressed IDX.
extern const unsigned char netconv_mnist_labels[];
/// Bytes in netconv_mnist_labels.
extern const size_t netconv_mnist_labels_size;

#endif
