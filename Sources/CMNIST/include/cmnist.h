#ifndef NETCONV_CMNIST_H
#define NETCONV_CMNIST_H

#include <stddef.h>

/// The 10,000 test images of MNIST, as gzip-compressed IDX.
///
/// A function, because Swift imports no array of unknown length.
const unsigned char *netconv_mnist_images_start(void);
/// Bytes of the images.
extern const size_t netconv_mnist_images_size;

/// The labels of those images, as gzip-compressed IDX.
const unsigned char *netconv_mnist_labels_start(void);
/// Bytes of the labels.
extern const size_t netconv_mnist_labels_size;

#endif
