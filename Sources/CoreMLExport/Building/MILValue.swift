import ModelIR

/// A value of the program, or one that is known and gets into the program when an operation reads it.
struct MILValue {
  /// The known facts about a value.
  indirect enum Contents {
    /// Integers, with `nil` for those that depend on open sizes.
    case ints([Int?])
    /// Float32 values.
    case floats([Float])
    /// A tensor of the model.
    case tensor(TensorKey, ElementType)
    /// A known value with its axes permuted.
    case transposed(MILValue, [Int])
    /// Known values that are concatenated along an axis.
    case joined([MILValue], axis: Int)
  }

  /// The name in the program; `nil` for a known value.
  var name: String?
  /// The type of the value.
  var type: MILType
  /// The known facts about the value; `nil` if there are none.
  var contents: Contents?

  /// The shape, with `nil` for an open size.
  var shape: [Int?] { type.shape }
  /// The number of axes.
  var rank: Int { type.shape.count }
  /// The shape, if all sizes are known.
  var knownShape: [Int]? {
    let known = shape.compactMap(\.self)
    return known.count == rank ? known : nil
  }

  /// True if the value is no result of an operation.
  var isKnown: Bool { name == nil }

  /// The integers, if all are known.
  var ints: [Int]? {
    guard case .ints(let values) = contents else { return nil }
    let known = values.compactMap(\.self)
    return known.count == values.count ? known : nil
  }

  /// The only float32 value.
  var float: Float? {
    if case .floats(let values) = contents, values.count == 1 { values[0] } else { nil }
  }

  /// True if all values are known to be zero.
  var isZero: Bool {
    if case .floats(let values) = contents { values.allSatisfy { $0 == 0 } } else { false }
  }

  /// Returns a known value with another shape, if its values are stored in that order.
  func reshaped(_ shape: [Int]) -> MILValue? {
    guard isKnown else { return nil }
    switch contents {
    case .ints, .floats, .tensor:
      return MILValue(type: MILType(data: type.data, shape: shape), contents: contents)
    case .transposed, .joined, nil: return nil
    }
  }

  /// Returns the index of an axis, which may count from the end.
  func axis(_ axis: Int) -> Int { axis < 0 ? axis + rank : axis }
}

/// An operand: a value, or one that is known.
enum MILOperand {
  /// A value.
  case value(MILValue)
  /// Several values, for a parameter that is a list.
  case list([MILValue])
  /// A vector of integers.
  case ints([Int])
  /// An integer.
  case int(Int)
  /// A float32.
  case float(Float)
  /// A vector of truth values.
  case bools([Bool])
  /// A truth value.
  case bool(Bool)
  /// A string.
  case string(String)
}
