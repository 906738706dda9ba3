import ModelIR

/// A quantisation scheme that stores a weight as several tensors.
protocol QuantizedForm: Sendable {
  /// Returns all weights stored in this form.
  ///
  /// - Throws: `badData` if a tensor of a weight is missing, or the encoding is ambiguous.
  static func products(
    in table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> [QuantizedProduct]
}

extension QuantizedForm {
  /// Returns the product of each name that has one; errors name the tensor that is called like the name and `ending`.
  static func products(
    of names: some Sequence<String>, named ending: String = "",
    _ product: (String) throws(NetconvError) -> QuantizedProduct?
  ) throws(NetconvError) -> [QuantizedProduct] {
    var products: [QuantizedProduct] = []
    for name in names {
      do throws(NetconvError) {
        if let found = try product(name) { products.append(found) }
      } catch {
        throw error.inTensor(name + ending)
      }
    }
    return products
  }
}

/// A weight that is stored as several tensors.
struct QuantizedProduct {
  /// The name of the weight before quantisation.
  let name: String
  /// The names of the tensors that store the weight.
  let members: [String]
  /// The dequantised values.
  let stored: StoredTensor

  /// - Parameters:
  ///   - kind: The name of the form in reports.
  ///   - table: The tensors of the source, which include the members.
  init(
    _ name: String, _ kind: String, of members: [String], in table: TensorTable,
    _ values: any TensorSource, shape: [Int]
  ) throws(NetconvError) {
    let count = try product(shape)
    guard values.count == count else { throw .codesOfOtherShape(values.count, shape) }
    self.name = name
    self.members = members
    var stored = StoredTensor(source: values, layout: nil, shape: shape, path: name)
    stored.kind = StoredKind(kind, byteCount: table.byteCount(of: members))
    self.stored = stored
  }
}

/// The tensors of a source by name.
struct TensorTable {
  let names: [String]
  private let byName: [String: StoredTensor]

  init(_ tensors: [(name: String, stored: StoredTensor)]) {
    names = tensors.map(\.name)
    byName = Dictionary(tensors.map { ($0.name, $0.stored) }, uniquingKeysWith: { $1 })
  }

  /// The tensor with the given name; `nil` if there is none.
  subscript(name: String) -> StoredTensor? { byName[name] }

  /// Returns the tensor with the given name.
  ///
  /// - Throws: `badData` if there is none.
  func required(_ name: String) throws(NetconvError) -> StoredTensor {
    guard let tensor = byName[name] else { throw .missingMember(name) }
    return tensor
  }

  /// The names with the suffix `ending`, without the suffix.
  func stems(of ending: String) -> [String] {
    names.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
  }

  /// The prefixes of the tensors called `name`: empty, or with a dot at the end.
  func scopes(of name: String) -> [String] {
    stems(of: name).filter { $0.isEmpty || $0.hasSuffix(".") }
  }

  fileprivate func byteCount(of names: [String]) -> Int {
    names.reduce(0) { sum, name in
      guard let tensor = byName[name] else { return sum }
      return sum
        + (tensor.kind?.byteCount ?? tensor.source.count * tensor.source.elementType.byteCount)
    }
  }
}

extension StoredTensor {
  /// The sizes of the axes.
  var sizes: [Int] { shape ?? [source.count] }

  /// The sizes of the axes, with the last one replaced.
  func sizes(endingWith last: Int) -> [Int] { Array(sizes.dropLast()) + [last] }

  /// Returns the tensor if it has the given rank and one of the given types.
  ///
  /// - Throws: `badData` if it does not.
  func checked(_ types: Set<ElementType>, rank: Int) throws(NetconvError) -> StoredTensor {
    guard sizes.count == rank else { throw .memberOfRank(path, sizes, expected: rank) }
    guard kind == nil, types.contains(source.elementType) else {
      throw .memberOfType(path, typeName, expected: types)
    }
    return self
  }
}

extension Set<ElementType> {
  static var words: Set<ElementType> { [.int32, .uint32] }
  static var bytes: Set<ElementType> { [.uint8] }
  static var floats: Set<ElementType> { [.float16, .bfloat16, .float32] }
  static var wholeNumbers: Set<ElementType> { [.int32, .int64] }
}

/// The supported forms of quantised weights.
enum QuantizedForms {
  /// All forms, one per file in `Forms`.
  static let all: [any QuantizedForm.Type] = [
    FP8Form.self,
    MLXForm.self,
    GPTQForm.self,
    AWQForm.self,
    BitsAndBytesForm.self,
    PackedIntegerForm.self,
    MXFP4Form.self,
    NVFP4Form.self,
  ]

  /// Replaces the tensors of each quantised weight by one dequantised tensor.
  ///
  /// - Throws: `badData` with the name of a tensor whose form is ambiguous or unknown.
  static func resolved(
    _ tensors: [(name: String, stored: StoredTensor)], _ config: QuantizationConfig
  ) throws(NetconvError) -> (
    tensors: [(name: String, stored: StoredTensor)], products: Set<String>
  ) {
    let table = TensorTable(tensors)
    var products: [String: QuantizedProduct] = [:]
    var owners: [String: String] = [:]
    for form in all {
      for product in try form.products(in: table, config) {
        for member in product.members {
          if let other = owners.updateValue(product.name, forKey: member) {
            throw NetconvError.twoForms(other, product.name).inTensor(member)
          }
        }
        if table[product.name] != nil, !product.members.contains(product.name) {
          throw NetconvError.productBesideTensor.inTensor(product.name)
        }
        if let first = product.members.first { products[first] = product }
      }
    }
    try checkLeft(tensors, owners, config)
    let resolved = tensors.compactMap { tensor -> (name: String, stored: StoredTensor)? in
      if let product = products[tensor.name] { return (product.name, product.stored) }
      return owners[tensor.name] == nil ? tensor : nil
    }
    return (resolved, Set(products.values.map(\.name)))
  }

  /// Checks that no codes without scales are left if the configuration states that weights are quantised.
  private static func checkLeft(
    _ tensors: [(name: String, stored: StoredTensor)], _ owners: [String: String],
    _ config: QuantizationConfig
  ) throws(NetconvError) {
    guard config.saysQuantized else { return }
    for tensor in tensors where owners[tensor.name] == nil {
      let isFloat8 = tensor.stored.kind?.name.hasPrefix("F8_E") == true
      let last = tensor.name.splitAtLast(".").last
      guard isFloat8 && !last.contains("scale") || last == "weight" && tensor.stored.isInteger
      else { continue }
      throw NetconvError.codesWithoutScales.inTensor(tensor.name)
    }
  }
}

extension NetconvError {
  fileprivate static let codesWithoutScales = NetconvError(
    .badData,
    text:
      "holds codes, as the configuration beside it says, but no scales of a form that netconv knows lie beside it; "
      + "\(.rawCodes) reads the codes")

  fileprivate static func memberOfRank(_ name: String, _ shape: [Int], expected: Int)
    -> NetconvError
  {
    NetconvError(.badData, "\(quoted(name)) has the shape \(shape), expected \(expected) axes")
  }

  fileprivate static func twoForms(_ first: String, _ second: String) -> NetconvError {
    NetconvError(.badData, "belongs to \(quoted(first)) and to \(quoted(second))")
  }

  fileprivate static let productBesideTensor = NetconvError(
    .badData, "is there as it is, and quantised; only one of them can be the weight")
}
