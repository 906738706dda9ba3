import Documents
internal import Memory
import ModelIR

/// Error messages about maps of weights, and about the weights that they apply to.
extension NetconvError {
  static func unrelatedInMap(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "nothing says how to make \(counted(names.count, "tensor")); give each of them "
        + "parts, or take it out of unrelated to go without it",
      list: names.map { quoted($0) }.messages)
  }

  static func mapMakesTooMuch(_ claim: Claim) -> NetconvError {
    NetconvError(
      .badData,
      "with this one the map makes \(byteText(claim.bytes)) of weights that have \(byteText(claim.stored)); "
        + "that is more than \(Claim.ratio) times as much, so a shape in it is wrong")
  }

  static func notInMap(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "the weights have \(counted(names.count, "tensor")) that this map does not "
        + "mention, and so are of another network",
      list: names.map { quoted($0) }.messages)
  }

  static func repeatedInSource(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "the weights have two tensors called \(quoted(name)), which no map tells apart")
  }

  static func noSuchSource(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "the weights have no tensor \(quoted(name)), and so are of another network")
  }

  static func undecidedInMap(_ candidates: [WeightsMap.Part]) -> NetconvError {
    let ways =
      if candidates.count == 1 {
        "may have its places in another order, as values did not tell it; make the candidate its parts if its "
          + "order is right,"
      } else if candidates.allSatisfy({ $0.to != nil }) {
        "may have its places in another order, as values did not tell it; make the candidates its parts if their "
          + "orders are right,"
      } else {
        "may be made in \(candidates.count) ways, as values did not tell them apart; make one of its candidates "
          + "its parts,"
      }
    return NetconvError(.badData, "\(ways) or write the map from weights after training")
  }

  static let noPartsInMap = NetconvError(
    .badData, "has no name, no parts or too many axes; every tensor of a map is made of parts")

  static let gapsInMap = NetconvError(
    .badData, "has parts that do not fill its shape, each place once; correct their ranges")

  static func badSection(_ section: WeightsMap.Section, _ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "places \(section.start) to \(section.end) of axis \(section.axis) are not in the shape \(Shape(shape))"
    )
  }

  static func badOrder(_ axis: String) -> NetconvError {
    NetconvError(
      .badData,
      "the order of axis \(quoted(axis)) does not have each of its places once, or the axis is reversed too"
    )
  }

  static func otherShape(_ shape: [Int], expected: [Int], _ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(name)) gives the shape \(Shape(shape)), and the map wants \(Shape(expected)); the weights are of another "
        + "network, or the map was edited")
  }

  static func noPattern(_ shape: [Int], _ wanted: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "the shape \(Shape(shape)) becomes \(Shape(wanted)), and no pattern says how")
  }

  static let twoSections = NetconvError(
    .badData, "takes two ranges of one axis; write a part for each of them")

  static func zerosWith(_ key: String) -> NetconvError {
    NetconvError(
      .badData,
      "a part without 'of' is zeros, and has the key \(quoted(key)); say of which tensor, or leave it out"
    )
  }

  static func useless(_ key: String, beside other: String?) -> NetconvError {
    NetconvError(
      .badData,
      other.map {
        "the key \(quoted(key)) does nothing beside \(quoted($0)); leave one of them out"
      }
        ?? "the key \(quoted(key)) does nothing here; leave it out")
  }

  static let twoFactors = NetconvError(
    .badData, "has a factor and a normalisation; leave out one of them")

  static let noAxis = NetconvError(
    .badData,
    "has a normalisation whose axis does not fit its gamma; give the axis that gamma runs along")

  static func unknownTypeInMap(_ name: String) -> NetconvError {
    NetconvError(.badData, "has the type \(quoted(name)), which netconv does not know")
  }

  static let mapWithoutRest = NetconvError(
    .usage,
    "a map says what is written; leave out what else would change the network, its layouts, types or names"
  )
}
