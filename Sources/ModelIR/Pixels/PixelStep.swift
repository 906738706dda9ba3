/// One step on the way from the pixels of an image to what a network takes.
///
/// Images come as (height, width) or (height, width, channels), with red, green and blue in this order. A list of numbers
/// holds one for all channels, or one for each, in the order that they have by then.
public enum PixelStep: Sendable, Equatable {
  /// Each value is multiplied.
  case scale([Double])
  /// A number is added to each value.
  case offset([Double])
  /// A number is subtracted from each value.
  case mean([Double])
  /// Each value is divided.
  case deviation([Double])
  /// Each value is subtracted from this one: the largest that there is.
  case invert(from: Double)
  /// The channels have this order from here on.
  case channels(ChannelOrder)
  /// Height and width are exchanged.
  case transpose
  /// The channels go in front of height and width, or behind them.
  case axes(AxisOrder)

  /// In which order the colours of a pixel stand.
  public enum ChannelOrder: String, Sendable, CaseIterable {
    /// Red, green, blue.
    case rgb
    /// Blue, green, red.
    case bgr
  }

  /// How the values of colours grow with light.
  public enum Encoding: String, Sendable, CaseIterable {
    /// By the curve of sRGB (IEC 61966-2-1), as files and screens have them.
    case sRGB
    /// In proportion.
    case linear
  }

  /// Where the axis of the channels stands.
  public enum AxisOrder: String, Sendable, CaseIterable {
    /// (channels, height, width).
    case channelsFirst
    /// (height, width, channels).
    case channelsLast
  }
}

// MARK: - As documents hold it

extension PixelStep {
  /// A step as documents hold it: what it is called, and its parameters.
  public struct Record: Sendable, Equatable {
    /// What is done: `scale`.
    public var step: String
    /// The numbers.
    public var value: [Double]?
    /// The order of channels or axes.
    public var order: String?

    /// A step called `step`.
    public init(step: String, value: [Double]? = nil, order: String? = nil) {
      self.step = step
      self.value = value
      self.order = order
    }
  }

  /// The names of all steps, in the order in which messages list them.
  static let names = [
    "scale", "offset", "mean", "deviation", "invert", "channels", "transpose", "axes",
  ]

  /// The step that a record describes.
  ///
  /// - Throws: `badData` for an unknown name, a parameter that is missing or does not belong there, or a number that
  ///   cannot be used.
  public init(_ record: Record) throws(NetconvError) {
    switch record.step {
    case "scale": self = .scale(try record.numbers())
    case "offset": self = .offset(try record.numbers())
    case "mean": self = .mean(try record.numbers())
    case "deviation":
      let numbers = try record.numbers()
      guard !numbers.contains(0) else { throw .zeroDeviation }
      self = .deviation(numbers)
    case "invert":
      let numbers = try record.numbers()
      guard numbers.count == 1 else { throw .severalNumbers(record.step) }
      self = .invert(from: numbers[0])
    case "channels": self = .channels(try record.choice())
    case "transpose":
      guard record.value == nil, record.order == nil else { throw .noParameters(record.step) }
      self = .transpose
    case "axes": self = .axes(try record.choice())
    default: throw .unknownStep(record.step, known: Self.names)
    }
  }

  /// The step as documents hold it.
  public var record: Record {
    switch self {
    case .scale(let numbers): Record(step: "scale", value: numbers)
    case .offset(let numbers): Record(step: "offset", value: numbers)
    case .mean(let numbers): Record(step: "mean", value: numbers)
    case .deviation(let numbers): Record(step: "deviation", value: numbers)
    case .invert(let largest): Record(step: "invert", value: [largest])
    case .channels(let order): Record(step: "channels", order: order.rawValue)
    case .transpose: Record(step: "transpose")
    case .axes(let order): Record(step: "axes", order: order.rawValue)
    }
  }
}

extension PixelStep.Record {
  /// The numbers of a step that has nothing else.
  fileprivate func numbers() throws(NetconvError) -> [Double] {
    guard order == nil, let value, !value.isEmpty, value.allSatisfy(\.isFinite) else {
      throw .wrongNumbers(step)
    }
    return value
  }

  /// The order of a step that has nothing else.
  fileprivate func choice<Order: CaseIterable & RawRepresentable<String>>()
    throws(NetconvError) -> Order
  {
    guard value == nil, let order, let choice = Order(rawValue: order) else {
      throw .wrongOrder(order, of: step, known: Order.allCases.map(\.rawValue))
    }
    return choice
  }
}

// MARK: - Short form

extension [PixelStep] {
  /// The steps that a scale and an offset are short for; `nil` if neither is given.
  public init?(scale: Double?, offset: Double?) {
    guard scale != nil || offset != nil else { return nil }
    self = (scale.map { [.scale([$0])] } ?? []) + (offset.map { [.offset([$0])] } ?? [])
  }

  /// The scale and the offset, if the list is no more than that, in this order.
  public var shortForm: (scale: Double?, offset: Double?)? {
    var rest = self[...]
    var scale: Double?
    var offset: Double?
    if case .scale(let numbers)? = rest.first, numbers.count == 1 {
      scale = numbers[0]
      rest = rest.dropFirst()
    }
    if case .offset(let numbers)? = rest.first, numbers.count == 1 {
      offset = numbers[0]
      rest = rest.dropFirst()
    }
    return isEmpty || !rest.isEmpty ? nil : (scale, offset)
  }
}
