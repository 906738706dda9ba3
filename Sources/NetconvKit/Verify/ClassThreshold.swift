import ModelIR

/// The value above which a single output means class 1, and else class 0, as in Keras's `BinaryAccuracy`.
public struct ClassThreshold: Sendable, Codable, Equatable {
  /// The threshold.
  public let value: Double
  /// Where it comes from.
  public let reason: Reason

  /// Where a threshold comes from.
  public enum Reason: String, Sendable, Codable {
    /// The caller has said it.
    case options
    /// A sigmoid, or another function from 0 to 1, ends the network: 0.5.
    case sigmoid
    /// The last layer has no activation, so that its output is a logit: 0, which a sigmoid makes 0.5.
    case logit
  }
}

extension ClassThreshold {
  /// The threshold of an output with one value; `nil` if only the caller can tell.
  ///
  /// - Parameter asked: what the caller says.
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
  /// What it is, and why, for people.
  public var words: Message {
    let number = value == value.rounded() ? fixed(value, 0) : numeral(value)
    return switch reason {
    case .options: "class 1 above \(number)"
    case .sigmoid: "class 1 above \(number), as the network ends in a sigmoid"
    case .logit: "class 1 above \(number), as of a logit"
    }
  }
}
