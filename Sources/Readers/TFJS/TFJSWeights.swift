import Documents
import Files
import ModelIR

/// The arrays of a layers model: their names and shapes in `weightsManifest`, their values in shards one behind the other.
struct TFJSWeights: KerasWeightSource {
  /// The shards.
  let files: [RandomAccessFile]
  let isOfTheano = false
  let holdsLoRA = false
  private let weights: [(owners: [Substring], name: String, stored: StoredTensor)]

  /// The most shards.
  private static let mostFiles = 1 << 16

  /// The arrays that a list tells of.
  ///
  /// - Parameter folder: where the shards are.
  /// - Throws: `badData` if the list is none, or the shards do not hold what it says; `cannotOpen`.
  init(_ manifest: JSONValue, in folder: String) throws(NetconvError) {
    guard let groups = manifest.array else { throw .wrongTFJSManifest("weightsManifest") }
    var files: [RandomAccessFile] = []
    var weights: [(owners: [Substring], name: String, stored: StoredTensor)] = []
    var names: Set<String> = []
    for (number, group) in groups.enumerated() {
      let place = "weightsManifest[\(number)]"
      guard let paths = group["paths"]?.array, let list = group["weights"]?.array,
        paths.count <= Self.mostFiles
      else { throw .wrongTFJSManifest(place) }
      let shards = try paths.map { path throws(NetconvError) in
        guard let name = path.string else { throw .wrongTFJSManifest(place + ".paths") }
        return try ContainedPath(name, in: folder).open()
      }
      files += shards
      let described = try list.enumerated().map { index, value throws(NetconvError) in
        try TFJSWeight(value, place: "\(place).weights[\(index)]")
      }
      var size = 0
      for weight in described {
        let (sum, overflow) = size.addingReportingOverflow(weight.byteCount)
        guard !overflow else { throw NetconvError.wrongTFJSShape.inTensor(weight.name) }
        size = sum
      }
      let found = shards.reduce(0) { $0 + $1.size }
      guard size == found else {
        throw NetconvError.wrongTFJSSize(found, expected: size).inFile(
          shards.last?.path ?? folder)
      }
      let joined = try Self.joined(shards, size: size)
      var offset = 0
      for weight in described {
        guard names.insert(weight.name).inserted else {
          throw NetconvError.repeatedTFJSWeight.inTensor(weight.name)
        }
        var parts = weight.name.split(separator: "/", omittingEmptySubsequences: false)
        let last = String(parts.removeLast())
        weights.append((parts, last, try weight.stored(in: joined, at: offset)))
        offset += weight.byteCount
      }
    }
    (self.files, self.weights) = (files, weights)
  }

  /// One file with what all of them hold, one behind the other; an array may begin in one and end in the next.
  private static func joined(
    _ shards: [RandomAccessFile], size: Int
  ) throws(NetconvError) -> RandomAccessFile? {
    guard shards.count > 1 else { return shards.first }
    let joined = try OutputFile.temporary()
    try joined.checkRoom(for: size)
    var offset = 0
    for shard in shards {
      try shard.forEachChunk(in: 0..<shard.size, of: 1 << 20) { chunk throws(NetconvError) in
        try joined.write(chunk, at: offset)
        offset += chunk.count
      }
      try shard.checkUnchanged()
    }
    return try RandomAccessFile(reading: joined, as: shards[0].path)
  }

  func weights(
    of place: KerasWeightPlace, expected: [KerasWeight], opaqueType: ElementType?
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    let path = place.path.flatMap { $0.split(separator: "/", omittingEmptySubsequences: false) }
    guard let last = place.path.last else { return [] }
    let own = last.split(separator: "/", omittingEmptySubsequences: false)
    let isInside = place.isRecurrent || !place.parts.isEmpty
    let candidates = weights.filter { weight in
      place.parts.allSatisfy { $0.match == nil || $0.holds(weight.owners) }
    }
    // The name of the layer, or those of the models around it too; and, of a cell, what is inside the layer.
    let forms: [([Substring]) -> Bool] = [
      { $0 == own }, { $0 == path }, { isInside && $0.starts(with: own) && $0.count > own.count },
      { isInside && $0.starts(with: path) && $0.count > path.count },
    ]
    for form in forms {
      let found = candidates.filter { form($0.owners) }
      guard !found.isEmpty else { continue }
      guard Set(found.map(\.owners)).count == 1 else { throw .ambiguousWeights(last) }
      return found.map { ($0.name, $0.stored) }
    }
    return []
  }

  func arrays(below path: [String]) throws(NetconvError) -> [String] {
    let own = (path.last ?? "").split(separator: "/", omittingEmptySubsequences: false)
    return weights.filter { $0.owners.starts(with: own) }.map {
      ($0.owners.map(String.init) + [$0.name]).joined(separator: "/")
    }.sorted()
  }
}

/// An array, as the list has it.
private struct TFJSWeight {
  let name: String
  private let shape: [Int]
  private let count: Int
  private let elementType: ElementType
  /// What integers are multiplied by, and what is added, where they stand for float32.
  private let scale: (factor: Double, offset: Double)?

  /// Bytes.
  let byteCount: Int

  /// Source: tensorflow/tfjs, tfjs-core/src/io/io_utils.ts, `decodeWeight`.
  init(_ value: JSONValue, place: String) throws(NetconvError) {
    guard let name = value["name"]?.string, let sizes = value["shape"]?.array else {
      throw .wrongTFJSManifest(place)
    }
    self.name = name
    do throws(NetconvError) {
      shape = try sizes.map { size throws(NetconvError) in
        guard let size = size.int, size >= 0 else { throw .wrongTFJSShape }
        return size
      }
      count = try product(shape)
      let dtype = value["dtype"]?.string ?? ""
      guard let quantization = value["quantization"] else {
        guard let type = ["float32": ElementType.float32, "int32": .int32][dtype] else {
          throw .wrongTFJSType(dtype)
        }
        (elementType, scale) = (type, nil)
        byteCount = try product([count, type.byteCount])
        return
      }
      let stored = quantization["dtype"]?.string ?? ""
      let types: [String: ElementType] = ["float16": .float16, "uint8": .uint8, "uint16": .uint16]
      guard dtype == "float32", let type = types[stored] else {
        throw .wrongTFJSType(dtype == "float32" ? stored : dtype)
      }
      elementType = type
      byteCount = try product([count, type.byteCount])
      guard type != .float16 else {
        scale = nil
        return
      }
      guard let factor = quantization["scale"]?.double, let offset = quantization["min"]?.double,
        factor.isFinite, offset.isFinite
      else { throw .wrongTFJSQuantization }
      scale = (factor, offset)
    } catch {
      throw error.inTensor(name)
    }
  }

  func stored(
    in file: RandomAccessFile?, at offset: Int
  ) throws(NetconvError) -> StoredTensor {
    let source: any TensorSource
    if let file, count > 0 {
      let values = FileTensorSource(
        file: file, offset: offset, elementType: elementType, count: count)
      source =
        scale.map { ScaledIntegers(integers: values, scale: $0.factor, offset: $0.offset) }
        ?? values
    } else {
      source = ByteSource(bytes: [], elementType: elementType, count: count)
    }
    return StoredTensor(source: source, layout: nil, shape: shape, path: name)
  }
}

/// Integers that stand for float32: each is multiplied, and a number is added, in Double, and rounded once.
private struct ScaledIntegers: TensorSource {
  let integers: FileTensorSource
  let scale: Double
  let offset: Double
  var elementType: ElementType { .float32 }
  var count: Int { integers.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try integers.read(range, into: values)
    for index in values.indices { values[index] = Float(Double(values[index]) * scale + offset) }
  }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    try integers.read(range, into: values)
    for index in values.indices { values[index] = Double(Float(values[index] * scale + offset)) }
  }

  func overflows(in range: Range<Int>) -> Overflow { Overflow() }
}

extension NetconvError {
  static func wrongTFJSManifest(_ place: String) -> NetconvError {
    NetconvError(.badData, "'\(place)' is not as TensorFlow.js writes it")
  }

  static var wrongTFJSShape: NetconvError {
    NetconvError(.badData, "the shape is no list of sizes that can be counted")
  }

  static func wrongTFJSType(_ type: String) -> NetconvError {
    NetconvError(
      .badData,
      "values are stored as \(quoted(type)), expected float32, int32, float16, uint8 or uint16")
  }

  static var wrongTFJSQuantization: NetconvError {
    NetconvError(.badData, "'quantization' has no finite 'scale' and 'min'")
  }

  static var repeatedTFJSWeight: NetconvError {
    NetconvError(.badData, "is there twice in 'weightsManifest'")
  }

  static func wrongTFJSSize(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the shards have \(found) bytes, and the arrays of model.json take \(expected); copy all files again"
    )
  }
}
