import Diagnosis
import Documents
import Foundation
import ModelIR
import NetconvKit
import TestSupport
import Testing

/// Single bits of small outputs, inverted one at a time: 2,000 of them, or all with `NETCONV_FLIPS=all`.
@Suite("A bit of an output is refused, or says nothing about names, graph, values and goldens")
struct OutputBitFlipTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let flipsAll = environment["NETCONV_FLIPS"] == "all"
  /// The seed for the choice of bits; `NETCONV_SEED` repeats a run.
  private static let seed: UInt64 =
    environment["NETCONV_SEED"].flatMap { UInt64($0) } ?? .random(in: .min ... .max)
  private static let outputs = ["bin", "archive", "safetensors", "npz", "out.netpack", "out.npz"]
  private static let flipsOfOutput = 2000 / (outputs.count + unchecked.count) + 1

  /// Outputs without a checksum: `.safetensors` alone, and RTNeural's JSON.
  private static let unchecked = ["out.safetensors", "out.rtneural.json"]

  /// A convolution and a dense layer, and a scale that no shape depends on.
  private static let model = """
    {"format": "netconv-model", "version": 1, "name": "tiny",
     "inputs": [{"name": "image", "shape": [4, 3, 2], "scale": 0.00392156862745098, "offset": 0}],
     "outputs": ["fc"],
     "layers": [
      {"name": "conv", "operator": "Convolution2D", "inputs": ["image"],
       "attributes": {"outputChannels": 2, "kernelSize": [3, 2], "activation": "relu"},
       "parameters": [
        {"role": "kernel", "file": "conv_W.bin", "dtype": "float32", "layout": "OIHW"},
        {"role": "bias", "file": "conv_b.bin", "dtype": "float32", "layout": "O"}]},
      {"name": "flatten", "operator": "Flatten", "inputs": ["conv"]},
      {"name": "fc", "operator": "Dense", "inputs": ["flatten"], "attributes": {"units": 3},
       "parameters": [
        {"role": "kernel", "file": "fc_W.bin", "dtype": "float32", "layout": "(HWI)O"}]}]}
    """

  /// A dense layer with all of its values, which RTNeural's JSON can represent.
  private static let dense = """
    {"format": "netconv-model", "version": 1, "name": "tiny", "inputs": [{"name": "x", "shape": [6]}],
     "outputs": ["fc"],
     "layers": [
      {"name": "fc", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 4, "activation": "tanh"},
       "parameters": [{"role": "kernel", "file": "fc_W.bin", "dtype": "float32", "layout": "IO"}]}]}
    """

  /// A folder with the output `kept`, and a copy of it in `changed`: either a folder with one container and goldens, or
  /// only a container.
  private func written(
    _ output: String, target: String = "mps"
  ) throws -> (TemporaryFolder, kept: String, changed: String) {
    let folder = try TemporaryFolder()
    try folder.write(
      target == "rtneural" ? Self.dense : Self.model, to: "tiny/model.json")
    for (name, count) in [("conv_W", 24), ("conv_b", 2), ("fc_W", 24)] {
      let values = (0..<count).map { (index: Int) -> Float in Float(index * 37 % 41 - 20) / 16 }
      try folder.write(
        values.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian) { Array($0) } },
        to: "tiny/\(name).bin")
    }
    let format = OutputFormat(rawValue: output)
    let ending = format == nil ? output.drop { $0 != "." } : ""
    let (kept, changed) = ("kept\(ending)", "changed\(ending)")
    var request = ConvertRequest(source: folder.file("tiny"), destination: folder.file(kept))
    request.target = target
    if let format {
      request.formats = [format]
      request.goldens = GoldensRequest(samples: 1)
    }
    _ = try Netconv.convert(request)
    try folder.copy(folder.file(kept), to: changed)
    return (folder, folder.file(kept), folder.file(changed))
  }

  /// Bits of outputs without a checksum: each flip is refused, is detected as another network, or is among those that
  /// Docs/integrity.md lists.
  @Test(arguments: unchecked)
  func uncheckedFlips(output: String) throws {
    let isJSON = output.hasSuffix(".json")
    let (folder, kept, changed) = try written(output, target: isJSON ? "rtneural" : "mps")
    let name = String(changed.split(separator: "/").last ?? "")
    let bytes = try folder.bytes(name)
    #expect(bytes.count > 200)
    let free = isJSON ? Self.digits(in: bytes) : try Self.metadata(in: bytes)
    #expect(free.count < bytes.count)
    var random = SplitMix64(seed: Self.seed)
    let bits =
      Self.flipsAll
      ? Array(0..<8 * bytes.count)
      : (0..<Self.flipsOfOutput).map { _ in Int.random(in: 0..<8 * bytes.count, using: &random) }
    print("\(output): \(bits.count) of \(8 * bytes.count) bits, NETCONV_SEED=\(Self.seed)")
    var seen = 0
    for bit in bits {
      let place = "\(output), byte \(bit / 8), bit \(bit % 8), NETCONV_SEED=\(Self.seed)"
      try invert(bit % 8, ofByte: bit / 8, of: changed)
      do throws(NetconvError) {
        var request = DiffRequest(first: kept, second: changed)
        request.exact = true
        let isEqual = try Netconv.diff(request).equal
        #expect(!isEqual || free.contains(bit / 8), "\(place): nothing is seen of it")
        seen += isEqual ? 0 : 1
      } catch {
        #expect([.badData, .cannotOpen, .usage].contains(error.kind), "\(place): \(error)")
        seen += 1
      }
      try invert(bit % 8, ofByte: bit / 8, of: changed)
    }
    #expect(seen > bits.count / 2, "\(output): of \(seen) of \(bits.count) something is seen")
  }

  /// The offsets of netconv's metadata in the header of a `.safetensors`, without names, types, shapes and offsets.
  private static func metadata(in bytes: [UInt8]) throws -> Set<Int> {
    let start = try #require(bytes.firstRange(of: Array(#""__metadata__":{"#.utf8)))
    // Nothing in it has braces but texts.
    var (place, isText, isEscaped) = (start.upperBound, false, false)
    while isText || bytes[place] != UInt8(ascii: "}") {
      if bytes[place] == UInt8(ascii: "\""), !isEscaped { isText.toggle() }
      isEscaped = bytes[place] == UInt8(ascii: "\\") && !isEscaped
      place += 1
    }
    return Set(start.upperBound..<place)
  }

  /// The offsets of digits after a decimal point, which may exceed a float's precision, and of the letter before an exponent.
  private static func digits(in bytes: [UInt8]) -> Set<Int> {
    var places: Set<Int> = []
    var isFraction = false
    for (place, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if isFraction { places.insert(place) }
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        if isFraction { places.insert(place) }
        isFraction = false
      default: isFraction = false
      }
    }
    return places
  }

  @Test(arguments: outputs)
  func flips(output: String) throws {
    let (folder, kept, changed) = try written(output)
    let files = try folder.files().filter { $0.hasPrefix("changed") }
    var sizes: [Int] = []
    for file in files { sizes.append(try folder.bytes(file).count) }
    let total = 8 * sizes.reduce(0, +)
    #expect(total > 8 * 200)
    var random = SplitMix64(seed: Self.seed)
    let bits =
      Self.flipsAll
      ? Array(0..<total)
      : (0..<Self.flipsOfOutput).map { _ in Int.random(in: 0..<total, using: &random) }
    print("\(output): \(bits.count) of \(total) bits, NETCONV_SEED=\(Self.seed)")

    var refused = 0
    for bit in bits {
      var (file, rest) = (0, bit / 8)
      while rest >= sizes[file] {
        rest -= sizes[file]
        file += 1
      }
      let place = "\(files[file]), byte \(rest), bit \(bit % 8), NETCONV_SEED=\(Self.seed)"
      try invert(bit % 8, ofByte: rest, of: folder.file(files[file]))
      do {
        try expectSame(kept, changed, hasGoldens: !output.contains("."), place)
      } catch let error as NetconvError {
        #expect([.badData, .cannotOpen, .usage].contains(error.kind), "\(place): \(error)")
        refused += 1
      }
      try invert(bit % 8, ofByte: rest, of: folder.file(files[file]))
    }
    // Most of a file is hashed, or in a document that is.
    #expect(refused > bits.count / 2, "\(output): \(refused) of \(bits.count) are refused")
    try expectSame(kept, changed, hasGoldens: !output.contains("."), "after the last")
  }

  private func expectSame(
    _ kept: String, _ changed: String, hasGoldens: Bool, _ place: String
  ) throws {
    var request = DiffRequest(first: kept, second: changed)
    request.exact = true
    let report = try Netconv.diff(request)
    #expect(report.equal, "\(place): read as another network")
    if hasGoldens {
      #expect(try Netconv.verifyGoldens(changed).passed, "\(place): its goldens are others")
    }
  }

  private func invert(_ bit: Int, ofByte offset: Int, of path: String) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(offset))
    let byte = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: [byte ^ (1 << bit)])
  }
}
