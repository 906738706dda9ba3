/// Values as some file or array holds them, before anyone asked what they are for.
public struct StoredTensor: Sendable {
  /// Where the values are.
  public var source: any TensorSource
  /// The order of their axes; `nil` where it is the one in which the operator's definition reads them.
  public var layout: Layout?
  /// Axes along which they lie in reversed order: those of a kernel that was rotated for a consumer.
  public var reversed: Set<Axis>
  /// The shape that the source states, `nil` where it only has a length.
  public var shape: [Int]?
  /// Where in the source they are, for people: a dataset path or a file name.
  public var path: String
  /// What the source calls the tensor, where that is a name like those of a state dictionary; `nil` where a layer and a role
  /// say which it is.
  public var name: String?
  /// What the values are stored as, where that is no element type; `nil` where the source's says it.
  public var kind: StoredKind?

  /// What the values are stored as, for people.
  public var typeName: String { kind?.name ?? source.elementType.rawValue }

  /// Values at `path`.
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

/// A parameter of a layer: a reference to values and the layout they are wanted in.
///
/// Making a tensor, or asking for another layout, reads and moves nothing.
public struct Tensor: Sendable {
  /// What a tensor says, which never changes.
  ///
  /// Lists of tensors are copied a lot; copies share it.
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

  /// The layer that the parameter belongs to; layers that share parameters name the same one.
  @inlinable public var layer: String { facts.layer }
  /// Its role, axes and sizes.
  @inlinable public var spec: ParameterSpec { facts.spec }
  /// The values as they are stored.
  @inlinable public var stored: StoredTensor { facts.stored }
  /// From where they are stored to where they are wanted.
  @inlinable public var rearrangement: Rearrangement { facts.rearrangement }

  /// A parameter of `layer`, wanted in the layout it is stored in.
  ///
  /// - Parameter wayOn: asked only if the shape does not fit: what to do, if the caller knows more than that.
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

  /// The same parameter with its values at another place, in the same order.
  ///
  /// - Precondition: there are as many values, or more behind them.
  public func reading(_ source: any TensorSource) -> Tensor {
    precondition(source.count >= count, "\(source.count) values for \(count)")
    var stored = stored
    stored.source = source
    return Tensor(self, stored: stored, rearrangement: rearrangement)
  }

  /// The same parameter, wanted in `layout` with the axes `reversed` in reversed order.
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

  /// The layout it is wanted in.
  public var layout: Layout { rearrangement.target }

  /// The axes that are wanted in reversed order.
  public var reversed: Set<Axis> {
    stored.reversed.symmetricDifference(rearrangement.reversed)
  }

  /// The shape in that layout.
  public var shape: [Int] {
    layout.dimensions.map { $0.axes.reduce(1) { $0 * (spec.sizes[$1] ?? 1) } }
  }

  /// The shape as it is stored.
  @inlinable public var storedShape: [Int] { facts.storedShape }

  /// The layout it is stored in.
  @inlinable public var storedLayout: Layout { rearrangement.source }

  /// The number of values.
  @inlinable public var count: Int { rearrangement.count }

  /// All values in the wanted layout.
  ///
  /// - Throws: as the source does.
  public func values() throws(NetconvError) -> [Float] {
    var failure: NetconvError?
    let stored = [Float](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      do throws(NetconvError) {
        try self.stored.source.read(
          0..<count, into: UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
        initializedCount = count
      } catch {
        failure = error.inTensor(spec.role.rawValue).inLayer(layer)
      }
    }
    if let failure { throw failure }
    let copy = rearrangement.copy
    return copy.isIdentity ? stored : copy.applied(to: stored)
  }
}

extension Tensor {
  /// Whether all values are zeros, of either sign; they are read.
  ///
  /// - Throws: as ``values()``.
  package func isZero() throws(NetconvError) -> Bool { try values().allSatisfy { $0 == 0 } }
}

extension Layout {
  /// The same layout; where it does not say how gates lie, they lie as in the definition of the operator.
  fileprivate func stating(gatesOf spec: ParameterSpec) -> Layout {
    gates == nil && spec.layout.gates != nil ? with(gates: spec.layout.gates) : self
  }
}
