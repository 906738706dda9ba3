extension PixelStep {
  /// Parses the text of a step: `blur=2.5`, `resize=224x200,bicubic,antialias`, `crop=10,20,100x80`.
  ///
  /// The text is a name, followed by `=` and the step's parameters, separated by commas: numbers, a size as width `x`
  /// height, words, and named parameters (`sigma=2`; several numbers of one parameter are separated by colons). `@`
  /// introduces the region that a step is limited to: `saturation=0@10,20,100x80`.
  /// - Throws: `usage` with the text and the problem.
  public init(text: String) throws(NetconvError) {
    do throws(NetconvError) {
      self = try Self(try Record(text: text))
    } catch {
      throw .wrongFilter(text, error)
    }
  }

  /// The text of the step.
  public var text: String { record.text }
}

extension PixelStep.Record {
  /// Parses a step without validating its parameters.
  fileprivate init(text: String) throws(NetconvError) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let whole = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(step: String(whole[0]))
    // `stretch` is another name for `resize`, next to `fit` and `fill`.
    if step == "stretch" { step = "resize" }
    guard PixelStep.names.contains(step) else {
      throw .unknownStep(step, known: PixelStep.names + ["stretch"], isOfRecord: false)
    }
    var numbers: [Double] = []
    for word in whole.dropFirst().flatMap({
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }) {
      if let number = Self.number(word) { numbers.append(number) } else { try read(word) }
    }
    try place(numbers)
    if parts.count > 1 { try set(.region, .area(try Self.area(parts[1]))) }
  }

  /// Parses a word that is not a number.
  private mutating func read(_ word: Substring) throws(NetconvError) {
    if let (width, height) = Self.size(word) {
      try set(.width, .numbers([width]))
      try set(.height, .numbers([height]))
    } else if let equals = word.firstIndex(of: "=") {
      try read(word[..<equals], word[word.index(after: equals)...])
    } else if word == Key.antialias.rawValue {
      try set(.antialias, .flag(true))
    } else if ["channels", "axes", "encoding"].contains(step) {
      try set(.order, .word(String(word)))
    } else if ["resize", "fit", "fill"].contains(step) {
      try set(.method, .word(String(word)))
    } else {
      throw .unknownWord(word)
    }
  }

  /// Parses a named parameter.
  private mutating func read(_ name: Substring, _ value: Substring) throws(NetconvError) {
    let known = Key.allCases.filter { $0 != .region && $0 != .antialias }
    guard let key = known.first(where: { $0.rawValue == name }) else {
      throw .unknownParameter(name, known: known.map(\.rawValue))
    }
    if key == .order || key == .method { return try set(key, .word(String(value))) }
    var numbers: [Double] = []
    for number in value.split(separator: ":", omittingEmptySubsequences: false) {
      guard let found = Self.number(number) else { throw .unknownWord(number) }
      numbers.append(found)
    }
    try set(key, .numbers(numbers))
  }

  /// Assigns unnamed numbers to parameters.
  private mutating func place(_ numbers: [Double]) throws(NetconvError) {
    guard !numbers.isEmpty else { return }
    switch step {
    case "crop":
      guard numbers.count == 2 else { throw .wrongCount(numbers.count, "2, column and row") }
      for (key, number) in zip([.x, .y] as [Key], numbers) { try set(key, .numbers([number])) }
    case "pad":
      guard [1, 4].contains(numbers.count) else {
        throw .wrongCount(numbers.count, "1, or 4: left, top, right and bottom")
      }
      for (index, key) in ([.left, .top, .right, .bottom] as [Key]).enumerated() {
        try set(key, .numbers([numbers[index % numbers.count]]))
      }
    default: try set(.value, .numbers(numbers))
    }
  }

  private mutating func set(_ key: Key, _ value: Parameter) throws(NetconvError) {
    guard parameters[key] == nil else { throw .repeatedParameter(key.rawValue) }
    parameters[key] = value
  }

  /// Parses a decimal number; Swift's own parser also accepts forms such as `0x5` and `nan`.
  private static func number(_ word: Substring) -> Double? {
    word.allSatisfy { "0123456789+-.eE".contains($0) } ? Double(word) : nil
  }

  /// Parses a size such as `100x80`.
  private static func size(_ word: Substring) -> (Double, Double)? {
    let sides = word.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]) else {
      return nil
    }
    return (Double(width), Double(height))
  }

  /// Parses a rectangle such as `10,20,100x80`.
  private static func area(_ text: Substring) throws(NetconvError) -> PixelStep.Area {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    guard words.count == 3, let x = Int(words[0]), let y = Int(words[1]),
      let (width, height) = size(words[2])
    else { throw .wrongRegion(text) }
    return PixelStep.Area(x: x, y: y, width: Int(width), height: Int(height))
  }
}

// MARK: - Writing

extension PixelStep.Record {
  fileprivate var text: String {
    var words: [String] = []
    var named: [String] = []
    let bare: Set<Key> =
      switch step {
      case "crop": [.x, .y]
      case "pad": [.left, .top, .right, .bottom]
      case "fit": []
      default: [.value]
      }
    for key in Key.allCases {
      guard let parameter = parameters[key] else { continue }
      switch (key, parameter) {
      case (.width, .numbers(let width)):
        if case .numbers(let height)? = parameters[.height] {
          words.append("\(Self.list(width, ","))x\(Self.list(height, ","))")
        }
      case (.height, _), (.region, _): break
      case (_, .numbers(let numbers)) where bare.contains(key):
        words.append(Self.list(numbers, ","))
      case (_, .numbers(let numbers)): named.append("\(key.rawValue)=\(Self.list(numbers, ":"))")
      case (_, .word(let word)): words.append(word)
      case (_, .flag(let flag)): if flag { words.append(key.rawValue) }
      case (_, .area): break
      }
    }
    words += named
    var text = words.isEmpty ? step : step + "=" + words.joined(separator: ",")
    if case .area(let area)? = parameters[.region] {
      text += "@\(area.x),\(area.y),\(area.width)x\(area.height)"
    }
    return text
  }

  private static func list(_ numbers: [Double], _ separator: String) -> String {
    numbers.map(PixelStep.number).joined(separator: separator)
  }
}

extension NetconvError {
  fileprivate static func wrongFilter(_ text: String, _ error: NetconvError) -> NetconvError {
    NetconvError(.usage, text: "filter \(quoted(text)): \(error.text)")
  }

  fileprivate static func unknownWord(_ word: Substring) -> NetconvError {
    NetconvError(.usage, "\(quoted(word)) is no number")
  }

  fileprivate static func unknownParameter(_ name: Substring, known: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "there is no parameter \(quoted(name)); known are \(known.joined(separator: ", "))"
        + didYouMean(String(name), among: known))
  }

  fileprivate static func repeatedParameter(_ name: String) -> NetconvError {
    NetconvError(.usage, "\"\(name)\" occurs twice")
  }

  fileprivate static func wrongCount(_ count: Int, _ expected: String) -> NetconvError {
    NetconvError(.usage, "has \(count) \(count == 1 ? "number" : "numbers"), expected \(expected)")
  }

  fileprivate static func wrongRegion(_ text: Substring) -> NetconvError {
    NetconvError(
      .usage,
      "the region \(quoted(text)) is not column,row,WIDTHxHEIGHT, as in 10,20,100x80")
  }
}
