/// A class, and what the network gives for it.
public struct NAMEClass: Equatable {
  /// Its place among the outputs, from 0 on.
  public let index: Int
  /// What it is called.
  public let label: String
  /// What the network gives: a probability only if its last layer makes one.
  public let value: Float
}

extension NAME {
  /// The classes with the largest of the values that `predict` gives for one sample, the largest first.
  ///
  /// Of equal values the one in front comes first. What is no number comes last.
  public static func top(_ count: Int, of values: [Float]) -> [NAMEClass] {
    #if labels
    precondition(values.count == NAMELabels.names.count, "there is a label for each output")
    #endif
    let order = values.indices.sorted { one, other in
      let (first, second) = (values[one], values[other])
      if first.isNaN || second.isNaN { return !first.isNaN || (second.isNaN && one < other) }
      return first > second || (first == second && one < other)
    }
    return order.prefix(max(0, count)).map { index in
      #if labels
      NAMEClass(index: index, label: NAMELabels.names[index], value: values[index])
      #else
      NAMEClass(index: index, label: "\(index)", value: values[index])
      #endif
    }
  }
}
