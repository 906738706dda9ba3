/// The file of a network's weights: a header of 64 bytes and all values as float32, little endian.
///
/// | bytes | content |
/// |---|---|
/// | 0 to 7 | `netconv` and a zero |
/// | 8 to 11 | the float 1234.5, by which a program sees the byte order |
/// | 12 to 15 | the version, 1 |
/// | 16 to 23 | the number of values |
/// | 24 to 31 | FNV-1a of the values' bytes |
/// | 32 to 63 | zeros |
struct CWeightsFile {
  /// The header.
  let header: [UInt8]
  private let values: [UInt8]

  /// The whole file.
  var bytes: [UInt8] { header + values }

  init(_ network: CNetwork) {
    var values: [UInt8] = []
    values.reserveCapacity(4 * network.parameterCount)
    for array in network.arrays {
      array.values.map(\.bitPattern.littleEndian).withUnsafeBytes { values += $0 }
    }
    var hash = FNVHash()
    hash.add(values)
    let parts: [[UInt8]] = [
      Array("netconv\0".utf8), Float(1234.5).bitPattern.littleEndianBytes,
      UInt32(1).littleEndianBytes, UInt64(network.parameterCount).littleEndianBytes,
      hash.value.littleEndianBytes, [UInt8](repeating: 0, count: 32),
    ]
    header = parts.flatMap(\.self)
    self.values = values
  }

  /// The names of errors, and what they mean.
  static let errors = [
    ("NO_WEIGHTS", "the weights were not opened"),
    ("BAD_SIZE", "the file has another size"),
    ("BAD_ALIGNMENT", "the bytes are not aligned to those of a float"),
    ("BAD_BYTE_ORDER", "the machine has another byte order than the file"),
    ("OTHER_WEIGHTS", "the file has the weights of another network"),
    ("DAMAGED", "the values do not have their hash"),
  ]

  /// Returns the function that checks a file.
  func opening(_ name: CName) -> String {
    let lines = CText.lines(header.map { "\($0)" }, indentation: "        ")
    return """
      int \(name)_open(\(name)_weights *weights, const void *bytes, size_t count)
      {
          static const unsigned char expected[64] = {
      \(lines.joined(separator: "\n"))
          };
          const unsigned char *header = (const unsigned char *)bytes;
          const float *values = (const float *)bytes;
          unsigned long long hash = 0xcbf29ce484222325ULL;

          weights->values = NULL;
          if (bytes == NULL || count != \(bytes.count)) return \(name.macro)_BAD_SIZE;
          if ((size_t)bytes % sizeof(float) != 0) return \(name.macro)_BAD_ALIGNMENT;
          for (int i = 0; i < 64; i++) {
              if (header[i] != expected[i]) return \(name.macro)_OTHER_WEIGHTS;
          }
          if (values[2] != 1234.5f) return \(name.macro)_BAD_BYTE_ORDER;
          for (size_t i = 64; i < count; i++) hash = (hash ^ header[i]) * 0x100000001b3ULL;
          for (int i = 0; i < 8; i++) {
              if (((hash >> 8 * i) & 0xff) != expected[24 + i]) return \(name.macro)_DAMAGED;
          }
          weights->values = values + 16;
          return \(name.macro)_OK;
      }
      """
  }
}
