#ifndef NETCONV_CKERNELS_ACTIVATION_H
#define NETCONV_CKERNELS_ACTIVATION_H

/// Functions of one value x, with the numbers a, b and c. A NaN stays one.
///
/// Where an error is given, it is in units in the last place of the result, down to the smallest denormal number;
/// the others round as often as they are written.
typedef enum {
  /// x, but at least a and at most b.
  NETCONV_CLAMP,
  /// a · (x - b) below b, or 0 if a is; from there on x, but at most c.
  NETCONV_RELU,
  /// a · (e^(b · x) - 1) below 0, c · x above; b > 0. Within 4 units.
  NETCONV_ELU,
  /// 1 / (1 + e^-x). Within 2.5 units.
  NETCONV_SIGMOID,
  /// log(1 / (1 + e^-x)). Within 4 units.
  NETCONV_LOG_SIGMOID,
  /// a · x + 0.5, but at least 0 and at most 1.
  NETCONV_HARD_SIGMOID,
  /// Within 3 units.
  NETCONV_TANH,
  /// x · sigmoid(x). Within 3.5 units.
  NETCONV_SILU,
  /// x · (x + 3) / 6, the second factor at least 0 and at most 1.
  NETCONV_HARD_SILU,
  /// x times the normal distribution function. Within 8 units.
  NETCONV_GELU,
  /// x · sigmoid(z), z = 2 · √(2 / π) · (x + 0.044715 · x³). Within 4 units for x > -1; below, the rounding of z
  /// costs up to 3 · |z| more.
  NETCONV_GELU_BY_TANH,
  /// x · tanh(log(1 + e^x)). Within 5 units.
  NETCONV_MISH,
  /// e^x. Within 1.5 units.
  NETCONV_EXPONENTIAL,
  /// log(1 + e^x). Within 4 units.
  NETCONV_SOFTPLUS,
  /// x / (1 + |x|).
  NETCONV_SOFTSIGN,
  /// 0 from -a to a, x beyond.
  NETCONV_HARD_SHRINK,
  /// 0 from -a to a, beyond x less a or, below 0, plus a.
  NETCONV_SOFT_SHRINK,
  /// 0 up to -1, (x + 1)² / 4 up to 1, x above.
  NETCONV_SPARSE_PLUS,
  /// b up to a, x above.
  NETCONV_THRESHOLD,
} netconv_function;

/// A function with its numbers.
typedef struct {
  netconv_function function;
  float a, b, c;
} netconv_activation;

#endif
