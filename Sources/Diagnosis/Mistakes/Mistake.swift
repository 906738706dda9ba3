import ModelIR

/// A kind of mistake that occurs when weights are converted.
///
/// Each kind has its own file and proposes repairs. The repair that corrects the layer identifies
/// the mistake.
protocol Mistake: Sendable {
  /// The changes of the layer that would undo the mistake, in order of likelihood.
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair]
}

/// The known facts about a layer besides the layer itself.
struct Evidence: Sendable {
  /// The reference layer, if its parameters are known.
  let expected: LayerCase?
  /// The expected output; the first axis is the batch.
  let output: NDArray<Float>
  /// The layers of the same sizes that process the same sequence in the opposite direction.
  var opposites: [LayerCase] = []
}

/// The list of known mistakes.
enum Mistakes {
  /// All mistakes, one line per file of this folder.
  ///
  /// The first of equal repairs wins, so common mistakes come first.
  static let all: [any Mistake.Type] = [
    ActivationMistake.self,
    EpsilonMistake.self,
    BiasMistake.self,
    MissingParameterMistake.self,
    SwappedStatisticsMistake.self,
    GateOrderMistake.self,
    ResetGateMistake.self,
    AttentionMistake.self,
    DirectionMistake.self,
    KernelOrderMistake.self,
    RotatedKernelMistake.self,
    ReversedChannelsMistake.self,
    InputScaleMistake.self,
    PoolingMistake.self,
    PaddingMistake.self,
    SwappedSidesMistake.self,
    StoredBytesMistake.self,
  ]
}

/// A change that would correct a layer, with a description of the mistake.
public struct Repair: Sendable {
  /// The mistake that the change undoes.
  public enum Kind: String, Sendable, CaseIterable, Codable {
    /// A wrong or missing activation.
    case activation
    /// A wrong number added to the variance.
    case epsilon
    /// A parameter that is missing or zero.
    case missingParameter
    /// Exchanged statistics of a normalisation, or statistics in another form.
    case swappedStatistics
    /// Gates of a recurrent layer in another order, or interleaved.
    case gateOrder
    /// Biases of a recurrent layer exchanged, added up or added twice, or the 1 of a forget gate.
    case biases
    /// A reset gate on the wrong side of the recurrent kernel.
    case resetGate
    /// Another scale, mask, reach or number of heads of attention, or its operands exchanged.
    case attention
    /// A reversed input or output sequence, or the weights of the opposite direction.
    case direction
    /// The axes of a kernel in another order.
    case kernelOrder
    /// A transposed matrix.
    case transposedKernel
    /// An image flattened in another order.
    case flattenOrder
    /// A kernel rotated by 180 degrees, flipped or mirrored; over sequences, reversed taps.
    case rotatedKernel
    /// Channels in reverse order: BGR instead of RGB.
    case reversedChannels
    /// Pixels not scaled to the range of training.
    case inputScale
    /// Padding on the wrong side, on both sides, or counted in a mean.
    case padding
    /// Height and width, or steps and channels, exchanged.
    case swappedSides
    /// Values in the wrong byte order or at a wrong offset.
    case storedBytes
    /// Other attributes that differ from the source's, or another operator.
    case attributes
    /// Values that differ from the source's without a known mistake.
    case changedValues
  }

  /// The mistake.
  public let kind: Kind
  /// A description: `kernel is (IHW)O read as (HWI)O: the flatten was in C, H, W order`.
  public let finding: String
  /// The correction in words.
  public let advice: String
  /// The role of the changed parameter, if any.
  public let role: ParameterRole?
  private let change: @Sendable (inout LayerCase) throws(NetconvError) -> Void

  init(
    _ kind: Kind, _ finding: String, advice: String, role: ParameterRole? = nil,
    change: @escaping @Sendable (inout LayerCase) throws(NetconvError) -> Void
  ) {
    self.kind = kind
    self.finding = finding
    self.advice = advice
    self.role = role
    self.change = change
  }

  /// Replaces an operator by another.
  static func exchanging(_ found: any Operator, for expected: any Operator) -> Repair {
    Repair(
      .attributes, "is \(type(of: found).name), expected \(type(of: expected).name)",
      advice: "use the operator of the source"
    ) { $0.operation = expected }
  }

  /// The same repair, as the cause of an effect.
  func explaining(_ effect: String) -> Repair {
    Repair(kind, "\(effect): \(finding)", advice: advice, role: role, change: change)
  }

  /// The layer without the mistake.
  ///
  /// - Throws: `badData` if the change does not fit the layer.
  public func applied(to layer: LayerCase) throws(NetconvError) -> LayerCase {
    var repaired = layer
    try change(&repaired)
    return repaired
  }
}
