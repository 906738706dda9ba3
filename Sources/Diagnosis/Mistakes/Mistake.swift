import ModelIR

/// A kind of mistake that people make when they bring weights from one place to another.
///
/// One file per kind; each proposes repairs, and the one that makes a layer right names the mistake.
protocol Mistake: Sendable {
  /// What would be changed in a layer if the mistake had been made there, the likeliest first.
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair]
}

/// What is known of a layer besides itself and what it should give.
struct Evidence: Sendable {
  /// The layer as it should be, if its parameters are known.
  let expected: LayerCase?
  /// What the layer should give; the first axis is the batch.
  let output: NDArray<Float>
  /// The layers that go through the same sequence the other way, of the same sizes.
  var opposites: [LayerCase] = []
}

/// Every mistake that is looked for.
enum Mistakes {
  /// One line per file of this folder that holds one; the first of equals wins, so the usual ones come first.
  static let all: [any Mistake.Type] = [
    ActivationMistake.self,
    EpsilonMistake.self,
    BiasMistake.self,
    MissingParameterMistake.self,
    SwappedStatisticsMistake.self,
    GateOrderMistake.self,
    ResetGateMistake.self,
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

/// A change that would make a layer right, and what it says about what was done wrong.
public struct Repair: Sendable {
  /// The mistake that the change undoes.
  public enum Kind: String, Sendable, CaseIterable, Codable {
    /// Another activation than the layer should have, or none.
    case activation
    /// Another number is added to the variance.
    case epsilon
    /// A parameter that is not there, or is zero.
    case missingParameter
    /// Two statistics of a normalisation in each other's place, or in another form.
    case swappedStatistics
    /// The gates of a recurrent layer in another order, or interleaved.
    case gateOrder
    /// The biases of a recurrent layer exchanged, added up or added twice, or the 1 of a forget gate.
    case biases
    /// A reset gate on the wrong side of the recurrent kernel.
    case resetGate
    /// A sequence that is read or given from its other end, or with the weights of the other direction.
    case direction
    /// The axes of a kernel in another order.
    case kernelOrder
    /// A matrix whose rows should be its columns.
    case transposedKernel
    /// The image was flattened in another order.
    case flattenOrder
    /// A kernel turned by 180 degrees, or upside down, or mirrored; one over sequences with its taps reversed.
    case rotatedKernel
    /// Channels in opposite order: BGR for RGB.
    case reversedChannels
    /// Pixels not brought to the range of training.
    case inputScale
    /// Padding on the other side, on both, or counted in a mean.
    case padding
    /// Heights for widths, or steps for channels.
    case swappedSides
    /// Bytes in opposite order, or values that lie earlier or later than they were read.
    case storedBytes
    /// Attributes that differ from the source's in another way, or another operator.
    case attributes
    /// Values that differ from the source's and follow no known mistake.
    case changedValues
  }

  /// The mistake.
  public let kind: Kind
  /// What is wrong: `kernel is (IHW)O read as (HWI)O: the flatten was in C, H, W order`.
  public let finding: String
  /// What to change.
  public let advice: String
  /// The role of the parameter that is changed, if one is.
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

  /// Another operator in the place of one.
  static func exchanging(_ found: any Operator, for expected: any Operator) -> Repair {
    Repair(
      .attributes, "is \(type(of: found).name), expected \(type(of: expected).name)",
      advice: "write the operator of the source"
    ) { $0.operation = expected }
  }

  /// The same repair, as the reason for a finding.
  func explaining(_ effect: String) -> Repair {
    Repair(kind, "\(effect): \(finding)", advice: advice, role: role, change: change)
  }

  /// The layer as it is without the mistake.
  ///
  /// - Throws: `badData` if the change does not fit the layer.
  public func applied(to layer: LayerCase) throws(NetconvError) -> LayerCase {
    var repaired = layer
    try change(&repaired)
    return repaired
  }
}
