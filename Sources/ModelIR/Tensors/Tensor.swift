/// Values as stored in a file or array, without a role in a layer.
public struct StoredTensor: Sendable {
  /// The source of the values.
  public var source: any TensorSource
  /// The layout; `nil` for that of the operator's definition.
  public var layout: Layout?
  /// The axes that are stored in reversed order, as in a kernel that was rotated for a target.
  public var reversed: Set<Axis>
  /// The shape in the source, `nil` if the source only has a length.
  public var shape: [Int]?
  /// The location in the source, for messages: a dataset path or a file name.
  public var path: String
  /// The tensor's name in the source, if it is a single name as in a state dictionary; `nil` if a layer and a role
  /// identify it.
  public var name: String?
  /// The stored form, if it is not an element type; `nil` if the source's element type applies.
  public var kind: StoredKind?

  /// The name of the stored type, for reports.
  public var typeName: String { kind?.name ?? source.elementType.rawValue }

  /// Creates a tensor stored at `path`.
  public init(
    source: any TensorSource, layout: Layout?, reversed: Set<Axis> = [], shape: [Int]?,
    path: String, name: String? = nil
  ) {
    self.source = source
    self.layout = layout
    self.reversed = reversed
    self.shape = shape
    self.path = path
    self.name = name
  }
}

/// A parameter of a layer: a reference to stored values and the layout they are requested in.
///
/// Creating a tensor, or requesting another layout, neither reads nor moves values.
public struct Tensor: Sendable {
  /// The immutable properties of a tensor.
  ///
  /// Lists of tensors are copied often; copies share this object.
  @usableFromInline
  final class Facts: Sendable {
    @usableFromInline let layer: String
    @usableFromInline let spec: ParameterSpec
    @usableFromInline let stored: StoredTensor
    @usableFromInline let storedShape: [Int]
    @usableFromInline let rearrangement: Rearrangement

    init(
      layer: String, spec: ParameterSpec, stored: StoredTensor, storedShape: [Int],
      rearrangement: Rearrangement
    ) {
      self.layer = layer
      self.spec = spec
      self.stored = stored
      self.storedShape = storedShape
      self.rearrangement = rearrangement
    }
  }

  @usableFromInline let facts: Facts

  /// The layer that owns the parameter; layers that share parameters name the same one.
  @inlinable public var layer: String { facts.layer }
  /// Its role, axes and sizes.
  @inlinable public var spec: ParameterSpec { facts.spec }
  /// The values as they are stored.
  @inlinable public var stored: StoredTensor { facts.stored }
  /// The conversion from the stored to the requested layout.
  @inlinable public var rearrangement: Rearrangement { facts.rearrangement }

  /// Creates a parameter of `layer`, requested in its stored layout.
  ///
  /// - Parameter wayOn: a more specific suggestion from the caller, evaluated only if the shape does not fit.
  /// - Throws: `badData` unless the stored layout has the spec's axes and the stored shape its sizes.
  public init(
    layer: String, spec: ParameterSpec, stored: StoredTensor,
    wayOn: @autoclosure () -> String? = nil
  ) throws(NetconvError) {
    let layout = (stored.layout ?? spec.layout).stating(gatesOf: spec)
    for axis in layout.axesOfOne(with: spec.layout)
    where spec.sizes[axis] ?? 1 != 1 {
      throw .wrongLayout(layout, expected: spec)
    }
    let expected = try layout.shape(spec.sizes)
    if let shape = stored.shape, shape != expected {
      throw .wrongShape(shape, expected: expected, layout: layout, wayOn: wayOn())
    }
    facts = Facts(
      layer: layer, spec: spec, stored: stored, storedShape: expected,
      rearrangement: try Rearrangement(
        keeping: layout, sizes: spec.sizes, count: product(expected)))
  }

  private init(_ tensor: Tensor, stored: StoredTensor? = nil, rearrangement: Rearrangement) {
    facts = Facts(
      layer: tensor.layer, spec: tensor.spec, stored: stored ?? tensor.stored,
      storedShape: tensor.storedShape, rearrangement: rearrangement)
  }

  /// Returns the same parameter with its values read from another source, in the same order.
  ///
  /// - Precondition: the source has at least as many values.
  public func reading(_ source: any TensorSource) -> Tensor {
    precondition(source.count >= count, "\(source.count) values for \(count)")
    var stored = stored
    stored.source = source
    return Tensor(self, stored: stored, rearrangement: rearrangement)
  }

  /// Returns the same parameter, requested in `layout` with the axes `reversed` in reversed order.
  ///
  /// - Throws: `badData` if `layout` lacks an axis that the parameter has.
  public func rearranged(
    to layout: Layout, reversed: Set<Axis> = []
  ) throws(NetconvError) -> Tensor {
    Tensor(
      self,
      rearrangement: try Rearrangement(
        from: storedLayout, to: layout.stating(gatesOf: spec), sizes: spec.sizes,
        reversing: stored.reversed.symmetricDifference(reversed)))
  }

  /// The requested layout.
  public var layout: Layout { rearrangement.target }

  /// The axes that are requested in reversed order.
  public var reversed: Set<Axis> {
    stored.reversed.symmetricDifference(rearrangement.reversed)
  }

  /// The shape in the requested layout.
  public var shape: [Int] {
    layout.dimensions.map { $0.axes.reduce(1) { $0 * (spec.sizes[$1] ?? 1) } }
  }

  /// The shape in the stored layout.
  @inlinable public var storedShape: [Int] { facts.storedShape }

  /// The stored layout.
  @inlinable public var storedLayout: Layout { rearrangement.source }

  /// The number of values.
  @inlinable public var count: Int { rearrangement.count }

  /// Returns all values in the requested layout.
  ///
  /// - Throws: any error of the source.
  public func values() throws(NetconvError) -> [Float] {
    let stored: [Float]
    do {
      stored = try self.stored.source.values(0..<count)
    } catch {
      throw error.inTensor(spec.role.rawValue).inLayer(layer)
    }
    let copy = rearrangement.copy
    return copy.isIdentity ? stored : copy.applied(to: stored)
  }
}

extension Tensor {
  /// Returns true if all values are zeros, of either sign; reads the values.
  ///
  /// - Throws: as ``values()``.
  package func isZero() throws(NetconvError) -> Bool { try values().allSatisfy { $0 == 0 } }
}

extension Layout {
  /// Returns the layout with an explicit gate order; by default that of the operator's definition.
  fileprivate func stating(gatesOf spec: ParameterSpec) -> Layout {
    gates == nil && spec.layout.gates != nil ? with(gates: spec.layout.gates) : self
  }
}

extension NetconvError {
  fileprivate static func wrongLayout(_ layout: Layout, expected spec: ParameterSpec)
    -> NetconvError
  {
    let axes = spec.layout.axes.map { "\($0)=\(spec.sizes[$0] ?? 1)" }.joined(separator: " ")
    return NetconvError(
      .badData,
      "layout \(layout) does not have the axes of this parameter, \(axes); "
        + "write them in the order of the file, for example \(spec.layout)")
  }
}
