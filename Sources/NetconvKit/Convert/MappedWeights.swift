import Documents
import Files
internal import Memory
import ModelIR
import Readers
import Relations

/// The weights that a map makes from those of a source.
struct MappedWeights {
  /// The tensors of the map, each in a layer of its own.
  let weights: Weights
  /// The name of each tensor.
  let names: [TensorKey: String]
  /// The element type of each tensor, in order.
  let elementTypes: [ElementType]
  /// The tensors of the source that are not used.
  let unused: [String]
  /// The tensors of the source of which a part is used and padded with zeros, although the rest is not all zeros.
  let leftBehind: [String]
  /// The shapes of the tensors that each tensor is made from, by its name.
  let sources: [String: [[Int]]]

  /// Applies the map at `path`.
  ///
  /// Only the map is read, and the unused parts of tensors that are padded with zeros; other values are computed on
  /// demand.
  /// - Throws: `cannotOpen`, or `badData` if the file is not a map, is incomplete, or is for other weights.
  init(mapAt path: String, of source: ReadSource) throws(NetconvError) {
    let map: WeightsMap
    do throws(NetconvError) {
      let bytes = try RandomAccessFile(path: path).contents(limit: JSONDocument.sizeLimit)
      map = try JSONDocument.decode(WeightsMap.self, from: bytes)
      guard map.unrelated.isEmpty else { throw NetconvError.unrelatedInMap(map.unrelated) }
      let tensors = source.network.tensors
      let maker = try MapReader(map, tensors)
      var layers: [LayerWeights] = []
      var names: [TensorKey: String] = [:]
      var types: [ElementType] = []
      let cache = RelatedValues()
      for (id, made) in map.tensors.enumerated() {
        do throws(NetconvError) {
          let tensor = try maker.tensor(made, cache, id)
          layers.append(LayerWeights(name: made.name, parameters: [tensor.tensor]))
          names[tensor.tensor.key] = made.name
          types.append(tensor.type)
        } catch {
          throw error.inTensor(made.name)
        }
      }
      try Self.checkClaim(layers.flatMap(\.parameters), of: tensors)
      weights = try Weights(name: source.network.name, layers: layers)
      self.names = names
      elementTypes = types
      let used = Set(map.tensors.flatMap(\.takenSources))
      unused = tensors.map(\.stored.path).filter { !used.contains($0) }
      var leftBehind: [String] = []
      let besideZeros = map.namesBesideZeros
      for tensor in tensors where besideZeros.contains(tensor.stored.path) {
        if try map.leavesValues(of: tensor) { leftBehind.append(tensor.stored.path) }
      }
      self.leftBehind = leftBehind
      let shapes = Dictionary(
        tensors.map { ($0.stored.path, $0.storedShape) }, uniquingKeysWith: { first, _ in first })
      sources = Dictionary(
        map.tensors.map { made in (made.name, Set(made.takenSources).compactMap { shapes[$0] }) },
        uniquingKeysWith: { first, _ in first })
    } catch {
      throw error.inFile(path)
    }
  }
}

extension MappedWeights {
  /// Checks that a map does not make far more values than the source stores.
  fileprivate static func checkClaim(
    _ made: [Tensor], of tensors: [Tensor]
  ) throws(NetconvError) {
    let sizes = { (tensors: [Tensor]) throws(NetconvError) in
      var total = 0
      for tensor in tensors {
        let (sum, overflow) = total.addingReportingOverflow(
          try product([tensor.count, MemoryLayout<Float>.size]))
        total = overflow ? .max : sum
      }
      return total
    }
    let claim = Claim(try sizes(made), stored: try sizes(tensors))
    guard !claim.isPlausible(unquestioned: Claim.streamed) else { return }
    let largest = made.max { $0.count < $1.count }
    throw NetconvError.mapMakesTooMuch(claim).inTensor(largest?.layer ?? "")
  }
}

extension WeightsMap.Made {
  /// The tensors of the source that it is made from.
  fileprivate var takenSources: [String] { Self.sources(of: parts) }

  /// The tensors of the source that it, or one of its candidates, is made from.
  var sources: [String] { Self.sources(of: parts + (candidates ?? [])) }

  private static func sources(of parts: [WeightsMap.Part]) -> [String] {
    parts.flatMap { part in
      [
        part.of, part.plus, part.normalization?.gamma, part.normalization?.variance,
        part.normalization?.mean, part.normalization?.bias,
      ].compactMap(\.self)
    }
  }
}

extension WeightsMap {
  /// The tensors of which a part is used and padded with zeros.
  fileprivate var namesBesideZeros: Set<String> {
    let made = tensors.filter { made in made.parts.contains { $0.of == nil } }
    return Set(made.flatMap(\.parts).filter { $0.from != nil }.compactMap(\.of))
  }

  /// True if the unused parts of a tensor contain anything but zeros.
  ///
  /// - Throws: any error from reading the values.
  fileprivate func leavesValues(of tensor: Tensor) throws(NetconvError) -> Bool {
    let shape = tensor.storedShape
    let parts = tensors.flatMap(\.parts).filter { $0.of == tensor.stored.path }
    let sections = parts.map { $0.from ?? [] }
    guard let axis = sections.first?.first?.axis, shape.indices.contains(axis),
      sections.allSatisfy({ $0.count == 1 && $0[0].axis == axis })
    else { return false }
    let taken = sections.map { $0[0].start..<$0[0].end }
    let whole = RelatedTensor(name: tensor.stored.path, shape: shape, source: tensor.stored.source)
    for place in 0..<shape[axis] where !taken.contains(where: { $0.contains(place) }) {
      let section = RelatedPart.Section(axis: axis, range: place..<place + 1)
      if try !whole.section(section).isZero() { return true }
    }
    return false
  }
}
