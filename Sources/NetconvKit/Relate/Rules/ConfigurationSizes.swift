import Documents
import Files
import ModelIR

/// The sizes of a network that its configuration states, so that rules fit other networks of the family.
///
/// Only keys that are sizes of weights count, and a number is that of a key only if no other one has it.
struct ConfigurationSizes {
  /// A number in rules, and the keys of the configuration that may be meant.
  typealias Ambiguity = RelateReport.Rules.Size

  /// Parts of the names of keys that state sizes of weights.
  private static let kinds = [
    "heads", "head_dim", "hidden_size", "intermediate_size", "experts", "rank", "d_model",
    "ffn_dim", "_dim", "n_embd", "n_head", "num_groups",
  ]
  /// Parts of the names of keys that state other numbers.
  private static let others = ["_id", "_per_tok", "layers", "position", "vocab", "topk", "top_k"]

  private let keys: [Int: [String]]
  private var found: Set<Ambiguity> = []

  /// The numbers for which there were several keys, in the order of their size.
  var ambiguities: [Ambiguity] { found.sorted { $0.size < $1.size } }

  /// Reads `config.json` of a folder, if there is one.
  ///
  /// - Throws: `badData` if it is not JSON.
  init(beside folder: String) throws(NetconvError) {
    let path = folder + "/config.json"
    guard FileState(path: path) != nil else {
      keys = [:]
      return
    }
    do throws(NetconvError) {
      let document = try JSONDocument.parse(
        RandomAccessFile(path: path).contents(limit: JSONDocument.sizeLimit))
      var keys: [Int: [String]] = [:]
      Self.collect(document, "", into: &keys, depth: 0)
      self.keys = keys.mapValues { $0.sorted() }
    } catch {
      throw error.inFile(path)
    }
  }

  private static func collect(
    _ value: JSONValue, _ start: String, into keys: inout [Int: [String]], depth: Int
  ) {
    guard case .object(let members) = value, depth < 3 else { return }
    for (key, value) in members where !key.contains(where: ".*/ ".contains) {
      if let number = value.int, number > 1, kinds.contains(where: key.contains),
        !others.contains(where: key.contains)
      {
        keys[number, default: []].append(start + key)
      }
      collect(value, start + key + ".", into: &keys, depth: depth + 1)
    }
  }

  /// Returns the sizes of a pattern.
  ///
  /// A 2 may be the two halves of a rotary embedding in any network, so it is that of a key only where it counts heads: as the
  /// first of three parts of an axis.
  mutating func sizes(_ motion: FoundRule.Motion, of name: String) -> [String: WeightRules.Size] {
    var sizes: [String: WeightRules.Size] = [:]
    for (axis, size) in motion.sizes {
      let isCount =
        size > 2 || motion.pattern?.contains("(\(axis) ") == true && motion.sizes.count > 1
      sizes[axis] = isCount ? self.size(size, of: name) : .number(size)
    }
    return sizes
  }

  /// Returns the length of a part.
  mutating func length(_ length: Int) -> WeightRules.Size { size(length, of: "") }

  private mutating func size(_ size: Int, of name: String) -> WeightRules.Size {
    guard let all = keys[size] else { return .number(size) }
    let meant = Self.meant(all, of: name)
    guard meant.count == 1 else {
      found.insert(Ambiguity(size: size, keys: all))
      return .number(size)
    }
    return .expression(meant[0])
  }

  /// Returns the keys that a tensor's name allows: keys and values may have fewer heads than queries.
  private static func meant(_ keys: [String], of name: String) -> [String] {
    guard keys.count > 1 else { return keys }
    let isOfKeys = ["k_proj", "v_proj"].contains(where: name.contains)
    let isOfQueries = ["q_proj", "o_proj"].contains(where: name.contains)
    guard isOfKeys || isOfQueries else { return keys }
    let heads = keys.filter { $0.hasSuffix("heads") }
    return heads.count == keys.count && heads.count == 2
      ? heads.filter { $0.contains("key_value") == isOfKeys } : keys
  }
}
