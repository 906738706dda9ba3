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

  /// Values at `path`.
  public init(
    source: any TensorSource, layout: Layout?, reversed: Set<Axis> = [], shape: [Int]?,
    path: String
  ) {
    self.source = source
    self.layout = layout
    self.reversed = reversed
    self.shape = shape
    self.path = path
  }
}

/// A parameter of a layer: a reference to values and the layout they are wanted in.
///
/// Making a tensor, or asking for another layout, reads and moves nothing.
public struct Tensor: Sendable {
  /// The layer that the parameter belongs to; layers that share parameters name the same one.
  public let layer: String
  /// Its role, axes and sizes.
  public let spec: ParameterSpec
  /// The values as they are stored.
  public let stored: StoredTensor
  /// From where they are stored to where they are wanted.
  public let rearrangement: Rearrangement

  /// A parameter of `layer`, wanted in the layout it is stored in.
  ///
  /// - Throws: `badData` unless the stored layout has the spec's axes and the stored shape its sizes.
  public init(
    layer: String, spec: ParameterSpec, stored: StoredTensor
  ) throws(NetconvError) {
    let layout = (stored.layout ?? spec.layout).stating(gatesOf: spec)
    for axis in layout.axesOfOne(with: spec.layout)
    where spec.sizes[axis] ?? 1 != 1 {
      throw .wrongLayout(layout, expected: spec)
    }
    let expected = try layout.shape(spec.sizes)
    if let shape = stored.shape, shape != expected {
      throw .wrongShape(shape, expected: expected, layout: layout)
    }
    self.layer = layer
    self.spec = spec
    self.stored = stored
    rearrangement = try Rearrangement(
      from: layout, to: layout, sizes: spec.sizes)
  }

  private init(_ tensor: Tensor, stored: StoredTensor? = nil, rearrangement: Rearrangement) {
    layer = tensor.layer
    spec = tensor.spec
    self.stored = stored ?? tensor.stored
    self.rearrangement = rearrangement
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
  public var shape: [Int] { shape(in: layout) }

  /// The shape as it is stored.
  public var storedShape: [Int] { shape(in: storedLayout) }

  /// The layout it is stored in.
  public var storedLayout: Layout { rearrangement.source }

  private func shape(in layout: Layout) -> [Int] {
    layout.dimensions.map { $0.axes.reduce(1) { $0 * (spec.sizes[$1] ?? 1) } }
  }

  /// The number of values.
  public var count: Int { rearrangement.count }

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
    guard !copy.isIdentity else { return stored }
    return [Float](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      stored.withUnsafeBufferPointer { values in
        if let from = values.baseAddress, let to = buffer.baseAddress { copy.run(from, to) }
      }
      initializedCount = count
    }
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
    gates == nil ? with(gates: spec.layout.gates) : self
  }
}
