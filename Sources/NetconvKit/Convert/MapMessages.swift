import Documents
internal import Memory
import ModelIR

/// Error messages about maps of weights, and about the weights that they apply to.
extension NetconvError {
  static func unrelatedInMap(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "the map does not say how to make \(counted(names.count, "tensor")); add "
        + "parts, or remove it from unrelated to skip it",
      list: names.map { quoted($0) }.messages)
  }

  static func mapMakesTooMuch(_ claim: Claim) -> NetconvError {
    NetconvError(
      .badData,
      "including this one, the map makes \(byteText(claim.bytes)) from weights of \(byteText(claim.stored)); "
        + "that is more than \(Claim.ratio) times as much, so a shape in it is wrong")
  }

  static func notInMap(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "the weights have \(counted(names.count, "tensor")) that this map does not "
        + "mention, so they belong to another network",
      list: names.map { quoted($0) }.messages)
  }

  static func repeatedInSource(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "the weights have two tensors named \(quoted(name)), which a map cannot distinguish"
    )
  }

  static func noSuchSource(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "the weights have no tensor \(quoted(name)), so they belong to another network")
  }

  static func undecidedInMap(_ candidates: [WeightsMap.Part]) -> NetconvError {
    let ways =
      if candidates.count == 1 {
        "may have another order, which its values do not show; make the candidate its parts if its "
          + "order is right,"
      } else if candidates.allSatisfy({ $0.to != nil }) {
        "may have another order, which its values do not show; make the candidates its parts if their "
          + "orders are right,"
      } else {
        "may be made in \(candidates.count) ways, which its values do not tell apart; make one of its candidates "
          + "its parts,"
      }
    return NetconvError(.badData, "\(ways) or write the map from trained weights")
  }

  static let noPartsInMap = NetconvError(
    .badData, "has no name, no parts or too many axes; every tensor of a map consists of parts")

  static let gapsInMap = NetconvError(
    .badData, "has parts that do not cover each element of its shape once; correct their ranges")

  static func badSection(_ section: WeightsMap.Section, _ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "indices \(section.start) to \(section.end) of axis \(section.axis) are outside the shape \(Shape(shape))"
    )
  }

  static func badOrder(_ axis: String) -> NetconvError {
    NetconvError(
      .badData,
      "the order of axis \(quoted(axis)) does not list each index once, or the axis is also reversed"
    )
  }

  static func otherShape(_ shape: [Int], expected: [Int], _ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(name)) results in shape \(Shape(shape)), and the map expects \(Shape(expected)); the weights belong to another "
        + "network, or the map was edited")
  }

  static func noPattern(_ shape: [Int], _ wanted: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "the shape \(Shape(shape)) becomes \(Shape(wanted)), but there is no pattern")
  }

  static let twoSections = NetconvError(
    .badData, "has two ranges of one axis; write a part for each")

  static func zerosWith(_ key: String) -> NetconvError {
    NetconvError(
      .badData,
      "a part without 'of' is zeros, but has the key \(quoted(key)); name its tensor, or leave it out"
    )
  }

  static func useless(_ key: String, beside other: String?) -> NetconvError {
    NetconvError(
      .badData,
      other.map {
        "the key \(quoted(key)) has no effect beside \(quoted($0)); leave one of them out"
      }
        ?? "the key \(quoted(key)) has no effect here; leave it out")
  }

  static let twoFactors = NetconvError(
    .badData, "has a factor and a normalisation; leave out one of them")

  static let noAxis = NetconvError(
    .badData,
    "has a normalisation whose axis does not fit its gamma; set it to gamma's axis")

  static func unknownTypeInMap(_ name: String) -> NetconvError {
    NetconvError(.badData, "has the type \(quoted(name)), which netconv does not know")
  }

  static let mapWithoutRest = NetconvError(
    .usage,
    "a map defines the output; leave out other changes of the network, its layouts, types or names"
  )
}
