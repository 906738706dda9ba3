import ModelIR

/// The threshold above which a single output means class 1, and otherwise class 0, as in Keras's `BinaryAccuracy`.
public struct ClassThreshold: Sendable, Codable, Equatable {
  /// The threshold.
  public let value: Double
  /// The origin of the threshold.
  public let reason: Reason

  /// The origin of a threshold.
  public enum Reason: String, Sendable, Codable {
    /// Set by the caller.
    case options
    /// 0.5, because the network ends in a sigmoid or another function with values from 0 to 1.
    case sigmoid
    /// 0, because the last layer has no activation: its output is a logit, and a sigmoid maps 0 to 0.5.
    case logit
  }
}

extension ClassThreshold {
  /// Creates the threshold of an output with one value; `nil` if only the caller can know it.
  ///
  /// - Parameter asked: the threshold set by the caller.
  init?(of kind: OutputKind, asked: Double?) {
    if let asked {
      self.init(value: asked, reason: .options)
      return
    }
    switch kind {
    case .fractions: self.init(value: 0.5, reason: .sigmoid)
    case .linear: self.init(value: 0, reason: .logit)
    case .probabilities, .numbers, .unknown: return nil
    }
  }
}

extension ClassThreshold {
  /// A human-readable description of the threshold and its origin.
  public var words: Message {
    let number = value == value.rounded() ? fixed(value, 0) : numeral(value)
    return switch reason {
    case .options: "class 1 above \(number)"
    case .sigmoid: "class 1 above \(number), as the network ends in a sigmoid"
    case .logit: "class 1 above \(number), as of a logit"
    }
  }
}
