extension PixelStep {
  /// A step as stored in documents and texts: its name and parameters.
  public struct Record: Sendable, Equatable {
    /// The name of the step: `scale`.
    public var step: String
    /// The parameters by name.
    public var parameters: [Key: Parameter]

    /// Creates a step called `step`.
    public init(step: String, _ parameters: [Key: Parameter] = [:]) {
      self.step = step
      self.parameters = parameters
    }

    /// The names of parameters, in the order used in documents.
    public enum Key: String, Sendable, CaseIterable {
      case value, sigma, order, x, y, left, top, right, bottom, width, height, method, antialias
      case region
    }

    /// The value of a parameter.
    public enum Parameter: Sendable, Equatable {
      case numbers([Double])
      case word(String)
      case flag(Bool)
      case area(Area)
    }
  }

  /// The names of all steps, in the order used in messages.
  public static let names = [
    "scale", "offset", "mean", "deviation", "invert", "channels", "transpose", "axes", "saturation",
    "gray", "color", "opaque", "encoding", "boxBlur", "blur", "crop", "pad", "turn", "resize",
    "fit", "fill",
  ]

  /// Creates the step that a record describes.
  ///
  /// - Throws: `badData` for an unknown name, a missing or superfluous parameter, or an invalid number.
  public init(_ record: Record) throws(NetconvError) {
    guard case .area(let area)? = record.parameters[.region] else {
      self = try Self.whole(record)
      try check()
      return
    }
    var inside = record
    inside.parameters[.region] = nil
    self = .region(area, try Self.whole(inside))
    try check()
  }

  private static func whole(_ record: Record) throws(NetconvError) -> PixelStep {
    switch record.step {
    case "scale": .scale(try record.onlyNumbers())
    case "offset": .offset(try record.onlyNumbers())
    case "mean": .mean(try record.onlyNumbers())
    case "deviation": .deviation(try record.onlyNumbers())
    case "invert": .invert(from: try record.onlyNumber())
    case "channels": .channels(try record.onlyChoice())
    case "transpose": try record.nothing(.transpose)
    case "axes": .axes(try record.onlyChoice())
    case "saturation": .saturation(try record.onlyNumber())
    case "gray": try record.nothing(.gray)
    case "color": try record.nothing(.color)
    case "opaque": .opaque(record.parameters.isEmpty ? nil : try record.onlyNumbers())
    case "encoding": .encoding(try record.onlyChoice())
    case "turn": .turn(quarters: try record.quarters())
    default: try ofNeighbours(record)
    }
  }

  private static func ofNeighbours(_ record: Record) throws(NetconvError) -> PixelStep {
    switch record.step {
    case "boxBlur":
      try record.takes([.value])
      return .boxBlur(radius: try record.whole(.value))
    case "blur":
      try record.takes([.value, .sigma])
      return .blur(radius: try record.number(.value), sigma: try record.optionalNumber(.sigma))
    case "crop":
      try record.takes([.x, .y, .width, .height])
      return .crop(
        Area(
          x: try record.whole(.x), y: try record.whole(.y), width: try record.whole(.width),
          height: try record.whole(.height)))
    case "pad":
      try record.takes([.left, .top, .right, .bottom, .value])
      let margins = Margins(
        left: try record.whole(.left), top: try record.whole(.top), right: try record.whole(.right),
        bottom: try record.whole(.bottom))
      return .pad(margins, try record.background())
    case "resize": return .resize(try record.sizing())
    case "fit": return .fit(try record.sizing([.value]), try record.background())
    case "fill": return .fill(try record.sizing())
    default: throw .unknownStep(record.step, known: names, isOfRecord: true)
    }
  }

  /// The record of the step for documents.
  public var record: Record {
    switch self {
    case .scale(let numbers): Record(step: "scale", [.value: .numbers(numbers)])
    case .offset(let numbers): Record(step: "offset", [.value: .numbers(numbers)])
    case .mean(let numbers): Record(step: "mean", [.value: .numbers(numbers)])
    case .deviation(let numbers): Record(step: "deviation", [.value: .numbers(numbers)])
    case .invert(let largest): Record(step: "invert", [.value: .numbers([largest])])
    case .channels(let order): Record(step: "channels", [.order: .word(order.rawValue)])
    case .transpose: Record(step: "transpose")
    case .axes(let order): Record(step: "axes", [.order: .word(order.rawValue)])
    case .saturation(let factor): Record(step: "saturation", [.value: .numbers([factor])])
    case .gray: Record(step: "gray")
    case .color: Record(step: "color")
    case .opaque(let values):
      Record(step: "opaque", values.map { [.value: .numbers($0)] } ?? [:])
    case .encoding(let encoding): Record(step: "encoding", [.order: .word(encoding.rawValue)])
    case .turn(let quarters): Record(step: "turn", [.value: .numbers([Double(quarters * 90)])])
    case .boxBlur(let radius): Record(step: "boxBlur", [.value: .numbers([Double(radius)])])
    case .blur(let radius, let sigma):
      Record(step: "blur", [.value: .numbers([radius])]).adding(.sigma, sigma)
    case .crop(let area):
      Record(step: "crop").adding(.x, area.x).adding(.y, area.y).adding(.width, area.width)
        .adding(.height, area.height)
    case .pad(let margins, let values):
      Record(step: "pad").adding(.left, margins.left).adding(.top, margins.top)
        .adding(.right, margins.right).adding(.bottom, margins.bottom).adding(background: values)
    case .resize(let sizing): Record(step: "resize").adding(sizing)
    case .fit(let sizing, let values): Record(step: "fit").adding(sizing).adding(background: values)
    case .fill(let sizing): Record(step: "fill").adding(sizing)
    case .region(let area, let step):
      Record(step: step.record.step, step.record.parameters.merging([.region: .area(area)]) { $1 })
    }
  }
}

// MARK: - Reading parameters

extension PixelStep.Record {
  fileprivate typealias Sizing = PixelStep.Sizing

  /// Checks that there are no parameters except `keys`.
  fileprivate func takes(_ keys: Set<Key>) throws(NetconvError) {
    guard Set(parameters.keys).isSubset(of: keys) else {
      throw .wrongParameters(step, known: Key.allCases.filter { keys.contains($0) })
    }
  }

  fileprivate func nothing(_ step: PixelStep) throws(NetconvError) -> PixelStep {
    guard parameters.isEmpty else { throw .noParameters(self.step) }
    return step
  }

  /// Returns the numbers of a step that has no other parameters.
  fileprivate func onlyNumbers() throws(NetconvError) -> [Double] {
    guard parameters.count == 1, case .numbers(let value)? = parameters[.value], !value.isEmpty,
      value.allSatisfy(\.isFinite)
    else { throw .wrongNumbers(step) }
    return value
  }

  /// Returns the number of a step that has no other parameters.
  fileprivate func onlyNumber() throws(NetconvError) -> Double {
    let numbers = try onlyNumbers()
    guard numbers.count == 1 else { throw .severalNumbers(step) }
    return numbers[0]
  }

  /// Returns the order of a step that has no other parameters.
  fileprivate func onlyChoice<Order: CaseIterable & RawRepresentable<String>>()
    throws(NetconvError) -> Order
  {
    var found: String?
    if case .word(let word)? = parameters[.order] { found = word }
    guard parameters.count == 1, let found, let choice = Order(rawValue: found) else {
      throw .wrongOrder(found, of: step, known: Order.allCases.map(\.rawValue))
    }
    return choice
  }

  fileprivate func quarters() throws(NetconvError) -> Int {
    let degrees = try onlyNumber()
    guard [90, 180, 270].contains(degrees) else { throw .wrongTurn(degrees) }
    return Int(degrees) / 90
  }

  fileprivate func optionalNumber(_ key: Key) throws(NetconvError) -> Double? {
    parameters[key] == nil ? nil : try number(key)
  }

  fileprivate func number(_ key: Key) throws(NetconvError) -> Double {
    guard case .numbers(let numbers)? = parameters[key], numbers.count == 1 else {
      throw .missingNumber(key.rawValue, of: step)
    }
    return numbers[0]
  }

  fileprivate func whole(_ key: Key) throws(NetconvError) -> Int {
    let number = try number(key)
    guard let whole = Int(exactly: number) else {
      throw .fractionOfPixel(number, key.rawValue, of: step)
    }
    return whole
  }

  /// Returns the background colour, black by default.
  fileprivate func background() throws(NetconvError) -> [Double] {
    guard let value = parameters[.value] else { return [0] }
    guard case .numbers(let numbers) = value, !numbers.isEmpty else {
      throw .missingNumber(Key.value.rawValue, of: step)
    }
    return numbers
  }

  fileprivate func sizing(_ others: Set<Key> = []) throws(NetconvError) -> Sizing {
    try takes(others.union([.width, .height, .method, .antialias]))
    var sizing = Sizing(width: try whole(.width), height: try whole(.height))
    if case .word(let word)? = parameters[.method] {
      guard let method = PixelStep.Interpolation(rawValue: word) else {
        throw .unknownMethod(word, of: step)
      }
      sizing.method = method
    }
    if case .flag(let flag)? = parameters[.antialias] { sizing.antialias = flag }
    return sizing
  }
}

// MARK: - Writing parameters

extension PixelStep.Record {
  fileprivate func adding(_ key: Key, _ number: Double?) -> Self {
    var record = self
    record.parameters[key] = number.map { .numbers([$0]) }
    return record
  }

  fileprivate func adding(_ key: Key, _ number: Int) -> Self { adding(key, Double(number)) }

  fileprivate func adding(background values: [Double]) -> Self {
    var record = self
    if values != [0] { record.parameters[.value] = .numbers(values) }
    return record
  }

  fileprivate func adding(_ sizing: Sizing) -> Self {
    var record = adding(.width, sizing.width).adding(.height, sizing.height)
    record.parameters[.method] = .word(sizing.method.rawValue)
    if sizing.antialias { record.parameters[.antialias] = .flag(true) }
    return record
  }
}

extension NetconvError {
  fileprivate static func severalNumbers(_ step: String) -> NetconvError {
    NetconvError(.badData, "the step \(quoted(step)) needs one number")
  }

  fileprivate static func wrongOrder(_ found: String?, of step: String, known: [String])
    -> NetconvError
  {
    NetconvError(
      .badData,
      "the step \(quoted(step)) needs \"order\", one of \(known.joined(separator: ", ")), and nothing else"
        + (found.map { "; found \(quoted($0))" } ?? ""))
  }

  fileprivate static func noParameters(_ step: String) -> NetconvError {
    NetconvError(.badData, "the step \(quoted(step)) accepts no parameters")
  }

  fileprivate static func wrongParameters(
    _ step: String, known: [PixelStep.Record.Key]
  ) -> NetconvError {
    let names = known.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return NetconvError(.badData, "the step \(quoted(step)) accepts \(names), and nothing else")
  }

  fileprivate static func missingNumber(_ name: String, of step: String) -> NetconvError {
    NetconvError(.badData, "the step \(quoted(step)) needs \"\(name)\", a number")
  }

  fileprivate static func fractionOfPixel(_ number: Double, _ name: String, of step: String)
    -> NetconvError
  {
    NetconvError(
      .badData,
      "\"\(name)\" of the step \(quoted(step)) is \(PixelStep.number(number)), expected whole pixels"
    )
  }

  fileprivate static func unknownMethod(_ name: String, of step: String) -> NetconvError {
    let known = PixelStep.Interpolation.allCases.map(\.rawValue)
    return NetconvError(
      .badData,
      "the step \(quoted(step)) has no method \(quoted(name)); known are "
        + known.joined(separator: ", ") + didYouMean(name, among: known))
  }
}
