import ModelIR

/// Messages about the order of axes.
extension Event {
  /// Returns events about the array for an input with channels first.
  static func axes(ofInput name: String, _ order: SampleOrder) -> [Event] {
    let array: Message = "the array for the input \(quoted(name))"
    if order.isAmbiguous {
      return [
        .warning(
          "\(array) fits with channels first and with channels last; channels first was "
            + "assumed, as in the source", details: [])
      ]
    }
    guard order.order == .channelsLast else { return [] }
    return [
      .warning(
        "\(array) has channels last; it was fed with channels first, as in the source",
        details: [])
    ]
  }

  /// Returns events about the samples of a data set; the report states their order.
  static func axes(ofSamples noun: String, _ order: SampleOrder) -> [Event] {
    guard order.isAmbiguous else { return [] }
    return [
      .warning(
        "the \(noun) fit with channels first and with channels last; channels first was assumed, "
          + "as in the source", details: [])
    ]
  }
}

extension Event {
  /// A warning about saved activations with channels first where the model has channels last.
  static func activationsMovedLast(_ names: [String]) -> Event {
    let (have, were) = words(names)
    return .remark(
      "\(have) channels first, as in the source; \(were) put into the model's order, channels last",
      details: names.map { Message(text: quoted($0)) })
  }

  /// A warning about saved inputs and outputs with channels last where the model has channels first, as in its
  /// source.
  static func activationsMovedFirst(_ names: [String]) -> Event {
    let (have, were) = words(names)
    return .remark(
      "\(have) channels last; \(were) put into the source's order, channels first",
      details: names.map { Message(text: quoted($0)) })
  }

  private static func words(_ names: [String]) -> (have: String, were: String) {
    names.count == 1 ? ("1 array has", "it was") : ("\(names.count) arrays have", "they were")
  }
}
