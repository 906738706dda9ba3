// e^x and what follows from it, for vectors. No step needs a multiplication and an addition in one, so that all
// levels keep to the same bounds.

/// e^x = (1 + excess) · 2^exponent.
typedef struct {
  vector excess;
  mask exponent;
} power;

INLINE vector absolute(vector x) { return (vector)((mask)x & 0x7fffffff); }

/// x, but at least `lowest`; a NaN stays one.
INLINE vector at_least(vector x, float lowest) {
  const vector lower = lowest;
  return lower > x ? lower : x;
}

/// e^(x + rest), |x + rest| < 2^15.
///
/// The argument is a multiple of log(2) and what remains, r. That multiple is subtracted in two parts as in Cody and
/// Waite, "Software Manual for the Elementary Functions" (1980); the first has so few digits that its products are
/// exact (the constants are those of Moshier's Cephes library). The polynomial is a minimax one for
/// (e^r - 1 - r) / r², |r| ≤ 0.347; its error is 4.4e-9 of e^r.
INLINE power power_of_sum(vector x, vector rest) {
  // So large a sum has no digits after the point, and the whole number is in its lowest bits.
  const vector shifter = 12582912.0f;
  const vector shifted = (x + rest) * 1.44269504f + shifter;
  const vector whole = shifted - shifter;
  vector r = x - whole * 0.693359375f;
  r = r + whole * 2.12194440e-4f + rest;
  vector q = r * 1.3814423e-3f + 8.36879667e-3f;
  q = q * r + 4.16683964e-2f;
  q = q * r + 0.166665196f;
  q = q * r + 0.49999994f;
  return (power){r + r * r * q, (mask)shifted - (mask)shifter};
}

INLINE power power_of(vector x) {
  // Added to anything, -0 changes nothing, not even a zero's sign.
  return power_of_sum(x, -0.0f);
}

/// 2^n, -126 ≤ n ≤ 127.
INLINE vector two_to(mask n) { return (vector)((n + 127) << 23); }

/// x · 2^n, -190 ≤ n ≤ 63; rounded once, also where the result is denormal.
INLINE vector scaled(vector x, mask n) { return x * two_to(n + 64) * 0x1p-64f; }

/// Below this e^x, also times -x, is less than half the smallest number.
#define LOWEST_POWER -110.0f

INLINE vector exponential(vector x) {
  const power p = power_of(clamp(x, LOWEST_POWER, 89));
  // In two steps: 2^128 would be infinite, and 2^-127 denormal.
  const mask half = p.exponent >> 1;
  return (1 + p.excess) * two_to(half) * two_to(p.exponent - half);
}

/// e^x for x ≤ 0.
INLINE vector exponential_to_one(vector x) {
  const power p = power_of(at_least(x, LOWEST_POWER));
  return scaled(1 + p.excess, p.exponent);
}

/// e^x - 1 for x ≤ 0, as exact where that is small.
INLINE vector exponential_less_one(vector x) {
  // e^-25 is beyond the digits of 1.
  const power p = power_of(at_least(x, -25));
  const vector scale = two_to(p.exponent);
  return p.excess * scale + (scale - 1);
}

/// log(1 + x) for 0 ≤ x ≤ 1.
///
/// = 2 · artanh(s), s = x / (2 + x); the polynomial is a minimax one for (2 · artanh(s) - 2 · s) / s³, |s| ≤ 1/3.
/// Its error is 7e-10 of the result.
INLINE vector log_one_plus(vector x) {
  const vector s = x / (2 + x), z = s * s;
  vector q = z * 0.243009016f + 0.214276671f;
  q = q * z + 0.286168844f;
  q = q * z + 0.39998877f;
  q = q * z + 0.666666746f;
  return 2 * s + s * z * q;
}

INLINE vector sigmoid(vector x) {
  const vector t = exponential_to_one(-absolute(x));
  return (x < 0 ? t : 1) / (1 + t);
}

/// x · sigmoid(z), z of the same sign as x.
INLINE vector times_sigmoid(vector x, vector z) {
  const power p = power_of(at_least(-absolute(z), LOWEST_POWER));
  const vector fraction = 1 + p.excess;
  const vector t = scaled(fraction, p.exponent);
  // Multiplied before it may become denormal.
  const vector product = scaled(fraction * at_least(x, LOWEST_POWER), p.exponent);
  return (x < 0 ? product : x) / (1 + t);
}

INLINE vector hyperbolic_tangent(vector x) {
  const vector e = exponential_less_one(-2 * absolute(x));
  return (vector)((mask)absolute(e / (e + 2)) | ((mask)x & (int)0x80000000));
}

/// |x| times the probability that a normally distributed number is greater than |x|.
///
/// = |x| · e^(-x² / 2) · f(|x|). The rational function is a minimax one for f(x) = erfc(x / √2) / 2 · e^(x² / 2),
/// 0 ≤ x ≤ 15, fitted to f's relative error; its own is 4.9e-8. Where x² is large, so would be the error of its
/// exponential: it is a sum of the square of x with half the digits, which is exact, and the rest.
INLINE vector normal_tail(vector x) {
  const vector most = 15;
  vector a = absolute(x);
  // The result is 0 then.
  a = most < a ? most : a;
  const vector high = (vector)((mask)a & ~0xfff);
  const power p = power_of_sum(high * high * -0.5f, (high - a) * (high + a) * 0.5f);
  vector numerator = a * 4.15320462e-3f + 4.08809669e-2f;
  numerator = numerator * a + 0.183968678f;
  numerator = numerator * a + 0.439282835f;
  numerator = numerator * a + 0.5f;
  vector denominator = a * 1.0410429e-2f + 0.10247951f;
  denominator = denominator * a + 0.471407473f;
  denominator = denominator * a + 1.20554638f;
  denominator = denominator * a + 1.67645073f;
  denominator = denominator * a + 1;
  return scaled((1 + p.excess) * (a * numerator / denominator), p.exponent);
}
