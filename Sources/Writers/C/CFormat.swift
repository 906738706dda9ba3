import Documents
import Files
import ModelIR

extension CContainer: WritableContainer {
  static func layout(of contents: ContainerContents) -> any ContainerLayout {
    CLayout(entries: contents.entries)
  }
}

private struct CLayout: ContainerLayout {
  let entries: [OutputPlan.Entry]
  let places: [TensorRecord.Place] = []

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    try CFormat(entries, in: folder)
  }
}

/// `model.h` and `model.c`: every tensor as a C array, for runtimes whose weights are linked into the program.
///
/// The values are collected in an unnamed temporary file, and converted to text when all of them are there.
struct CFormat: ContainerWriter {
  private let entries: [OutputPlan.Entry]
  private let folder: String
  private let values: PlacedValues

  fileprivate init(_ entries: [OutputPlan.Entry], in folder: String) throws(NetconvError) {
    self.folder = folder
    self.entries = entries
    values = try PlacedValues(entries)
  }

  func placement(of index: Int) -> Placement { values.placement(of: index) }

  func finish(
    _ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]
  ) throws(NetconvError) {
    let names = CNaming.names(of: entries)
    var header = TextFile(try OutputFile(creating: folder + "/" + CContainer.header))
    var source = TextFile(try OutputFile(creating: folder + "/" + CContainer.source))
    try header.write(
      "#ifndef NETCONV_MODEL_H\n#define NETCONV_MODEL_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
    )
    try source.write("#include \"\(CContainer.header)\"\n\n#include <math.h>\n")
    for (index, entry) in entries.enumerated() {
      let shape = entry.tensor.shape.map(String.init).joined(separator: " x ")
      let array = "\(names[index])[\(max(1, entry.tensor.count))]"
      try header.write("/* \(entry.tensor.layout), \(shape) */\nextern const float \(array);\n")
      try source.write("\nconst float \(array) = {")
      try writeValues(of: index, to: &source)
      try source.write("\n};\n")
    }
    try header.write("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
    try header.finish()
    try source.finish()
  }

  private func writeValues(
    of index: Int, to source: inout TextFile
  ) throws(NetconvError) {
    let count = entries[index].tensor.count
    // A C array has at least one element.
    if count == 0 { try source.write("\n  0.0f,") }
    for start in stride(from: 0, to: count, by: Self.chunkCount) {
      let chunk = try values.read(start, count: min(Self.chunkCount, count - start), of: index)
      for (place, value) in zip(start..., chunk) {
        try source.write((place % 6 == 0 ? "\n  " : " ") + Self.literal(value) + ",")
      }
    }
  }

  /// The number of values converted to text at once.
  private static let chunkCount = 1 << 14

  /// Returns the shortest decimal literal that is read back as the same value.
  private static func literal(_ value: Float) -> String {
    if value.isNaN { return "NAN" }
    if value.isInfinite { return value < 0 ? "-INFINITY" : "INFINITY" }
    return "\(value)f"
  }
}

/// C identifiers for tensors.
enum CNaming {
  /// Returns unique names for `entries` of letters, digits and underscores, in order.
  static func names(of entries: [OutputPlan.Entry]) -> [String] {
    var names = UniqueNames(separator: "_")
    return entries.map { entry in
      let letters = entry.name.unicodeScalars.map { scalar -> Character in
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9": Character(scalar)
        default: "_"
        }
      }
      return names.next("netconv_" + String(letters))
    }
  }
}
