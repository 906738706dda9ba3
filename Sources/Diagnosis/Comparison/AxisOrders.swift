import ModelIR

extension [Axis] {
  /// Every order of the axes, from this one to its reverse.
  var orders: [[Axis]] {
    guard count > 1 else { return [self] }
    return indices.flatMap { index in
      var rest = self
      let first = rest.remove(at: index)
      return rest.orders.map { [first] + $0 }
    }
  }
}
