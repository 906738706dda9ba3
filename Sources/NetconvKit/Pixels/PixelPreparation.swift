import Diagnosis
import Documents
import ModelIR
import Operators

/// The preprocessing of pixels for a network, and the reason for it; Docs/preparation.md describes the rules.
public struct PixelPreparation: Sendable {
  /// The steps in order; empty if there is no preprocessing.
  public let steps: [PixelStep]
  /// The origin of the steps.
  public let reason: Reason
  /// A human-readable explanation of the origin.
  public let explanation: Message
  /// Reasons why the steps may be wrong.
  public let warnings: [Message]

  /// The origin of a preparation: the first of these that applies.
  public enum Reason: String, Sendable, Codable {
    /// The caller set it.
    case options
    /// The model records it, and the pixels are integers.
    case recorded
    /// No preprocessing, because the network begins with a layer that does it, or that reads token ids.
    case ownLayer
    /// Nothing is recorded, and the pixels are integers.
    case integers
    /// Nothing that applies is recorded, and the pixels are floats.
    case floats
    /// Nothing is recorded, and the values are not pixels: they belong to a sequence, or the network predicts
    /// quantities.
    case quantities
  }

  /// True if the values are pixels, rather than quantities or token ids.
  let arePixels: Bool
  /// The noun for samples.
  public var noun: String { arePixels ? "images" : "samples" }

  /// The steps and the reason: `multiplied by 1/255 (bytes, and the model records no scale)`.
  public var text: Message { "\(steps.words) (\(explanation))" }

  /// Creates a preparation that was decided before.
  init(
    steps: [PixelStep], reason: Reason, explanation: Message, warnings: [Message], arePixels: Bool
  ) {
    (self.steps, self.reason, self.explanation) = (steps, reason, explanation)
    (self.warnings, self.arePixels) = (warnings, arePixels)
  }

  /// Decides on the preprocessing of pixels.
  init(
    of facts: PixelFacts, for input: ModelInput, of model: Model, _ options: PixelOptions
  ) {
    let own = model.ownScaling(of: input.name)
    let isInteger = facts.type.isInteger
    let readsSteps = model.readsSteps(of: input)
    let areQuantities =
      options.mayBeQuantities
      && (readsSteps || options.predictsQuantities && input.shape.rank < 3)
    let steps: [PixelStep]
    let reason: Reason
    let explanation: Message
    if options.scale != nil || options.offset != nil {
      steps = [PixelStep](scale: options.scale, offset: options.offset) ?? []
      reason = .options
      explanation = Self.explanation(scale: options.scale, offset: options.offset)
    } else if let layer = model.layerReadingTokenIDs(of: input.name) {
      steps = []
      reason = .ownLayer
      explanation = Self.explanation(ofNumbers: layer)
    } else if isInteger, let recorded = input.preprocessing {
      steps = recorded
      reason = .recorded
      explanation = Self.recordedExplanation
    } else if let own {
      steps = []
      reason = .ownLayer
      explanation = Self.explanation(own)
    } else if areQuantities, facts.type != .uint8 {
      steps = []
      reason = .quantities
      explanation = Self.explanation(ofQuantities: facts.type, readsSteps: readsSteps)
    } else {
      steps = isInteger ? [.scale([1.0 / 255])] : []
      reason = isInteger ? .integers : .floats
      explanation = Self.explanation(facts.type, isRecorded: input.preprocessing != nil)
    }
    if let filters = options.filters {
      // The encoding of values for the network stays, unless the filters set that too.
      let kept = filters.contains(where: \.isOfTraining) ? [] : steps.filter(\.isOfTraining)
      self.steps = filters + kept
      self.reason = .options
      self.explanation = Self.explanation(
        ofFilters: isInteger && input.preprocessing != nil, range: kept.isEmpty ? nil : explanation)
    } else {
      (self.steps, self.reason, self.explanation) = (steps, reason, explanation)
    }
    arePixels =
      !options.mayBeQuantities || reason == .integers || reason == .recorded
      || !areQuantities && (!options.areVectors || own?.operation is any RescalingOperator)
        && model.layerReadingTokenIDs(of: input.name) == nil
    warnings =
      areQuantities
      ? Self.warningsOfQuantities(reason, facts, input)
      : Self.warnings(reason, steps, facts, input, own, options)
  }

  private static func warningsOfQuantities(
    _ reason: Reason, _ facts: PixelFacts, _ input: ModelInput
  ) -> [Message] {
    switch reason {
    case .options, .recorded: []
    case .integers: [facts.largest == 1 ? smallIntegers("value") : bytesAsPixels]
    case .ownLayer, .floats, .quantities: input.preprocessing.map { [recordNotApplied($0)] } ?? []
    }
  }

  private static func warnings(
    _ reason: Reason, _ steps: [PixelStep], _ facts: PixelFacts, _ input: ModelInput,
    _ own: Layer?, _ options: PixelOptions
  ) -> [Message] {
    // A caller who sets the preprocessing knows the pixels.
    guard reason != .options else { return [] }
    var warnings: [Message] = []
    let isScaled = own?.operation is any RescalingOperator
    let value: Message = options.areVectors && !isScaled ? "value" : "pixel"
    if facts.type.isInteger, facts.largest == 1 { warnings.append(smallIntegers(value)) }
    if reason == .integers, options.areVectors, facts.largest > 1, facts.smallest >= 0,
      facts.largest <= 255
    {
      warnings.append(facts.type == .uint8 ? bytesAsPixels : integersAsPixels(facts.type))
    }
    if reason == .integers, facts.smallest < 0 || facts.largest > 255 {
      warnings.append(noBytes(facts))
    }
    // Floats that are fed as they are need no preprocessing, unless their range suggests it.
    let areFed = options.areArrays && !facts.type.isInteger
    if let recorded = input.preprocessing, reason != .recorded, !areFed || facts.largest > 1.5 {
      warnings.append(recordNotApplied(recorded))
    }
    if reason == .floats, facts.largest > 1.5, !areFed, !options.areVectors {
      warnings.append(largeFloats(facts.largest))
    }
    if reason == .ownLayer, let own, let expectsLarge = own.expectsLargePixels {
      if expectsLarge, !facts.type.isInteger, facts.largest <= 1.5 {
        warnings.append(scaledTwice(own, value, largest: facts.largest))
      } else if !expectsLarge, facts.largest > 1.5 {
        warnings.append(scaledUp(own, value, largest: facts.largest))
      }
    }
    let isGuess = reason == .integers || reason == .floats
    if options.isRawBlobs, isGuess, input.preprocessing == nil, !areFed {
      warnings.append(guessed(steps))
    }
    return warnings
  }
}

/// Further facts that determine the preprocessing of pixels.
struct PixelOptions: Sendable {
  /// The requested scale.
  let scale: Double?
  /// The requested offset.
  let offset: Double?
  /// The requested filters for the input.
  var filters: [PixelStep]?
  /// True if the model was described by hand, so that its description could record the preprocessing.
  let isRawBlobs: Bool
  /// True if floats are final inputs of the network rather than images.
  var areArrays = false
  /// True if a sample is a plain vector, whose values may be features, such as a row of a table.
  var areVectors = false
  /// True if samples may be something other than images.
  var mayBeQuantities = false
  /// True if quantities are predicted, as from a table, rather than classes.
  var predictsQuantities = false
}

extension PixelPreparation: Encodable {
  private enum CodingKeys: String, CodingKey {
    case steps
    case reason
    case text
    case warnings
  }

  /// Encodes the steps as in `model.json`.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(steps.map(PixelStepDocument.init), forKey: .steps)
    try document.encode(reason, forKey: .reason)
    try document.encode(text, forKey: .text)
    try document.encode(warnings, forKey: .warnings)
  }
}

extension PixelPreparation {
  fileprivate static let recordedExplanation: Message = "as the model records"
}
