import Documents
import ModelIR

extension FoundRules {
  /// The reason why rules do not make a tensor.
  enum Reason: Hashable {
    case unrelated
    case undecided
    case zeros
    case orders
    case reversed
    case sum
    case normalization
    case narrowed
    case severalAxes
    case inTurns
    case repeated(String)
    case unusualName
    case otherValues
    case otherShape

    /// The reason for a tensor of a map; `nil` if rules may make it.
    init?(_ made: WeightsMap.Made) {
      guard !made.parts.isEmpty else {
        self = .undecided
        return
      }
      if let reason = made.parts.lazy.compactMap(Reason.init).first {
        self = reason
        return
      }
      if ([made.name] + made.parts.compactMap(\.of)).contains(where: Self.isUnusual) {
        self = .unusualName
      } else if made.parts.count > 1, !Self.isJoin(made) {
        self = .severalAxes
      } else {
        return nil
      }
    }

    private init?(_ part: WeightsMap.Part) {
      switch part {
      case _ where part.of == nil: self = .zeros
      case _ where part.orders != nil: self = .orders
      case _ where part.reversed != nil: self = .reversed
      case _ where part.plus != nil: self = .sum
      case _ where part.normalization != nil: self = .normalization
      case _ where part.rounded != nil || part.truncated != nil: self = .narrowed
      case _ where (part.from?.count ?? 1) > 1: self = .severalAxes
      case _ where ((part.from ?? []) + (part.to ?? [])).contains { $0.step != nil }:
        self = .inTurns
      default: return nil
      }
    }

    private static func isUnusual(_ name: String) -> Bool {
      name.contains { "*{}~\u{1}".contains($0) }
    }

    /// True if the parts follow each other along one axis.
    private static func isJoin(_ made: WeightsMap.Made) -> Bool {
      var end = 0
      let axis = made.parts[0].to?.first?.axis
      for part in made.parts {
        guard let to = part.to, to.count == 1, to[0].axis == axis, to[0].start == end else {
          return false
        }
        end = to[0].end
      }
      return axis.map { made.shape.indices.contains($0) && made.shape[$0] == end } ?? false
    }

    /// A sentence without a subject.
    var words: String {
      switch self {
      case .unrelated: "its values are not in A"
      case .undecided: "its values do not determine where they came from"
      case .zeros: "zeros were added"
      case .orders: "indices have an order that no pattern describes"
      case .reversed: "axes are reversed"
      case .sum: "two tensors were added"
      case .normalization: "a normalisation was folded into it"
      case .narrowed: "its values were rounded or truncated to another type than it is stored in"
      case .inTurns: "indices of several tensors are in turns"
      case .severalAxes: "its parts do not follow each other along one axis"
      case .repeated(let name):
        "it needs \(quoted(name)), which another tensor takes; a rule takes a tensor once"
      case .unusualName: "a name has characters that patterns of names have another use for"
      case .otherValues: "the rules that were found make other values"
      case .otherShape: "the rules that were found do not make it"
      }
    }
  }
}
