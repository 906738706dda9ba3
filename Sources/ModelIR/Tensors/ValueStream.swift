/// An element type for streaming: float32, or float64 for values that float32 cannot represent.
package protocol StreamedValue: BinaryFloatingPoint, Sendable {
  /// Reads the values of `source` in `range`, in stored order.
  static func read(
    _ source: any TensorSource, _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Self>
  ) throws(NetconvError)

  /// Moves values from `source` to `destination`.
  static func move(
    _ move: StridedMove, _ source: UnsafePointer<Self>,
    _ destination: UnsafeMutablePointer<Self>)

  /// Returns the bit patterns of `values` in ``ElementType/exactType`` of a type, little endian, and the number of
  /// infinities and NaNs.
  static func patterns(
    of values: UnsafeBufferPointer<Self>, as type: ElementType
  ) -> (bytes: [UInt8], nonFinite: Int)
}

extension Float: StreamedValue {
  package static func read(
    _ source: any TensorSource, _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try source.read(range, into: values)
  }

  package static func move(
    _ move: StridedMove, _ source: UnsafePointer<Float>,
    _ destination: UnsafeMutablePointer<Float>
  ) {
    move.run(source, destination)
  }
}

extension Double: StreamedValue {
  package static func read(
    _ source: any TensorSource, _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    try source.read(range, into: values)
  }

  package static func move(
    _ move: StridedMove, _ source: UnsafePointer<Double>,
    _ destination: UnsafeMutablePointer<Double>
  ) {
    // A move only copies: two float32 elements are equivalent to one float64.
    UnsafeRawPointer(source).withMemoryRebound(to: Float.self, capacity: 2 * move.count) {
      from in
      UnsafeMutableRawPointer(destination).withMemoryRebound(
        to: Float.self, capacity: 2 * move.count
      ) { move.ofPairs.run(from, $0) }
    }
  }
}

/// A stream of a tensor's values in the requested layout, in order, one panel at a time.
///
/// Memory use is two panels, regardless of the size of the tensor.
package final class ValueStream<Value: StreamedValue> {
  /// The number of values that are read and moved at once: 256 KiB of float32.
  private static var pieceCount: Int { 1 << 16 }

  private let tensor: Tensor
  private var panels: Swift.Slice<Panels>
  private let arranged: UnsafeMutableBufferPointer<Value>
  private let piece: UnsafeMutableBufferPointer<Value>

  /// Creates a stream of the values of `tensor`, at most `panelCount` at a time.
  package init(_ tensor: Tensor, panelCount: Int = 1 << 20) {
    self.tensor = tensor
    panels = tensor.rearrangement.consecutivePanels(maximumCount: panelCount)[...]
    // Panels at the ends are smaller.
    let largest = panels.first?.count ?? 0
    arranged = .allocate(capacity: largest)
    piece = .allocate(capacity: min(largest, Self.pieceCount))
  }

  deinit {
    arranged.deallocate()
    piece.deallocate()
  }

  /// Returns the next values, or `nil` at the end.
  ///
  /// They are valid until the next call.
  /// - Throws: any error of the tensor's source, with layer and tensor.
  package func next() throws(NetconvError) -> UnsafeBufferPointer<Value>? {
    guard let panel = panels.popFirst() else { return nil }
    do throws(NetconvError) {
      let sourceRuns = panel.sourceRuns
      for part in panel.pieces(maximumCount: Self.pieceCount) {
        var position = 0
        for range in sourceRuns.places(of: part.values) {
          let places = position..<position + range.count
          try Value.read(
            tensor.stored.source, range,
            into: UnsafeMutableBufferPointer(rebasing: piece[places]))
          position = places.upperBound
        }
        if let from = piece.baseAddress, let to = arranged.baseAddress {
          Value.move(part.move, from, to)
        }
      }
    } catch {
      throw error.inTensor(tensor.spec.role.rawValue).inLayer(tensor.layer)
    }
    return UnsafeBufferPointer(rebasing: arranged[..<panel.count])
  }
}

extension TensorSource {
  /// Returns the values at `range`, as float32 or float64.
  package func values<Value: StreamedValue>(_ range: Range<Int>) throws(NetconvError) -> [Value] {
    var failure: NetconvError?
    let values = [Value](unsafeUninitializedCapacity: range.count) { buffer, count in
      do throws(NetconvError) {
        try Value.read(
          self, range, into: UnsafeMutableBufferPointer(rebasing: buffer[..<range.count]))
        count = range.count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return values
  }
}
