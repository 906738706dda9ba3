import Diagnosis
import Documents
import ModelIR
import Operators

/// What is done to pixels before a network sees them, and why; Docs/preparation.md has the rules.
public struct PixelPreparation: Sendable {
  /// What is done, in this order; nothing if empty.
  public let steps: [PixelStep]
  /// Where that comes from.
  public let reason: Reason
  /// Where that comes from, for people.
  public let explanation: Message
  /// Why it may be wrong all the same.
  public let warnings: [Message]

  /// Where a preparation comes from: the first of these that applies.
  public enum Reason: String, Sendable, Codable {
    /// The caller has said it.
    case options
    /// The model records it, and the pixels are integers.
    case recorded
    /// Nothing is done, since the network begins with a layer that does it, or that takes numbers of things.
    case ownLayer
    /// Nobody says anything, and the pixels are integers.
    case integers
    /// Nobody says anything that could be used, and the pixels are floats.
    case floats
    /// Nobody says anything, and the values are no pixels: they belong to a sequence, or quantities follow from them.
    case quantities
  }

  /// Whether the values are pixels, and not quantities or numbers of things.
  let arePixels: Bool
  /// What a sample is called.
  public var noun: String { arePixels ? "images" : "samples" }

  /// What is done and why: `multiplied by 1/255 (bytes, and the model records no scale)`.
  public var text: Message { "\(steps.words) (\(explanation))" }

  /// A preparation that was decided before.
  init(
    steps: [PixelStep], reason: Reason, explanation: Message, warnings: [Message], arePixels: Bool
  ) {
    (self.steps, self.reason, self.explanation) = (steps, reason, explanation)
    (self.warnings, self.arePixels) = (warnings, arePixels)
  }

  /// Decides what is done to pixels.
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
    } else if let layer = model.layerTakingNumbers(of: input.name) {
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
      // How values are encoded for the network stays, unless the filters say that, too.
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
        && model.layerTakingNumbers(of: input.name) == nil
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
    // Who says what is to be done knows the pixels.
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
    // Floats that a network is fed with need nothing, unless they look as if they did.
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

/// What else decides what is done to pixels.
struct PixelOptions: Sendable {
  /// What was asked for.
  let scale: Double?
  /// What was asked for.
  let offset: Double?
  /// What was asked for, of the input.
  var filters: [PixelStep]?
  /// Whether the model was made by hand, so that it could record what it needs.
  let isRawBlobs: Bool
  /// Whether floats are what the network is fed with rather than images.
  var areArrays = false
  /// Whether a sample is a plain vector, whose values may be features, as a row of a table is.
  var areVectors = false
  /// Whether samples may be something else than images.
  var mayBeQuantities = false
  /// Whether quantities are predicted, as from a table, and not classes.
  var predictsQuantities = false
}

extension PixelPreparation: Encodable {
  private enum CodingKeys: String, CodingKey {
    case steps
    case reason
    case text
    case warnings
  }

  /// Writes the steps as `model.json` has them.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(steps.map(PixelStepDocument.init), forKey: .steps)
    try document.encode(reason, forKey: .reason)
    try document.encode(text, forKey: .text)
    try document.encode(warnings, forKey: .warnings)
  }
}
