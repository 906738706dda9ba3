import Digests
import ModelIR

/// Turns layer and role into names that are safe and unique, whatever a source calls its layers.
public struct FileNaming: Sendable {
  /// The naming that Forge and most hand-written loaders expect: `conv1_W`, `conv1_b`.
  public static let standard = FileNaming(pieces: [.layer, .text("_"), .role])

  private enum Piece: Sendable, Equatable {
    case text(String)
    case layer
    case role
  }

  /// A longer name is cut; most file systems stop at 255 bytes.
  private static let maximumLength = 200

  /// A longer ending is refused, so that the name of a file keeps below 255 bytes with it.
  private static let maximumEnding = 32

  private let pieces: [Piece]
  private let roles: [ParameterRole: String]
  /// The names of some tensors, whatever the template says.
  private let known: [TensorKey: String]
  /// What files of one tensor end in, with the dot, and nothing if they have no ending; `nil` if the template does not
  /// say it.
  public let fileEnding: String?

  private init(pieces: [Piece]) {
    self.pieces = pieces
    roles = [:]
    known = [:]
    fileEnding = nil
  }

  /// Names that are known already, which containers have as they are.
  public init(names: [TensorKey: String]) {
    self.init(Self.standard, names: names)
  }

  /// The same naming, but for tensors whose names are known already: containers have those as they are.
  public init(_ naming: FileNaming, names: [TensorKey: String]) {
    pieces = naming.pieces
    roles = naming.roles
    known = names
    fileEnding = naming.fileEnding
  }

  /// A naming after a template such as `{layer}_{role}`, or `{layer}_{role}.dat` with the ending of files.
  ///
  /// What stands behind the last dot is the ending if that dot is behind both fields; with nothing behind it, files
  /// have none. It is no part of the names of tensors.
  ///
  /// - Parameters:
  ///   - template: a slash in it is one in the names of tensors, and an underscore in those of files.
  ///   - roles: what roles are called, and with them their scales; those that are not listed by their
  ///     ``ParameterRole/fileSuffix``.
  /// - Throws: `usage` if a brace encloses anything else, neither field is there, or the ending is too long.
  public init(
    template: String, roles: [ParameterRole: String] = [:]
  ) throws(NetconvError) {
    var pieces: [Piece] = []
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      let text = rest[..<open]
      pieces.append(.text(String(text)))
      guard !text.contains("}"), let close = rest[open...].firstIndex(of: "}") else {
        throw .badNaming(template)
      }
      switch rest[rest.index(after: open)..<close] {
      case "layer": pieces.append(.layer)
      case "role": pieces.append(.role)
      default: throw .badNaming(template)
      }
      rest = rest[rest.index(after: close)...]
    }
    guard pieces.contains(.layer) || pieces.contains(.role), !rest.contains("}") else {
      throw .badNaming(template)
    }
    let (text, ending) = Self.splitEnding(rest)
    guard (ending ?? "").utf8.count <= Self.maximumEnding else {
      throw .longEnding(template, limit: Self.maximumEnding)
    }
    self.pieces = pieces + [.text(text)]
    known = [:]
    fileEnding = ending.map { $0 == "." ? "" : Self.sanitized($0) }
    // Scales are called after what they scale, as in `weight_scale`.
    let scales = roles.map { ($0.key.scale, ParameterRole(rawValue: $0.value).scale.rawValue) }
    self.roles = roles.merging(scales) { word, _ in word }
  }

  /// What stands behind the last field, and the ending in it, with its dot.
  private static func splitEnding(_ rest: Substring) -> (text: String, ending: String?) {
    guard let dot = rest.lastIndex(of: "."), !rest[dot...].contains("/") else {
      return (String(rest), nil)
    }
    return (String(rest[..<dot]), String(rest[dot...]))
  }

  /// What a tensor is called, and the file that holds it alone.
  public struct Name: Sendable, Equatable {
    /// In containers, the manifest and reports.
    public let tensor: String
    /// Fit for a file, without its ending; no two files are called alike, whatever the case.
    public let file: String
  }

  /// The names of `tensors`, in order.
  public func names(for tensors: [Tensor]) -> [Name] {
    var names = UniqueNames(separator: "-") { Self.fileName(of: $0).lowercased() }
    let rolesOfLayers = Dictionary(grouping: tensors, by: \.layer)
      .mapValues { Set($0.map(\.spec.role)) }
    return tensors.map { tensor in
      if let name = known[tensor.key] {
        return Name(tensor: name, file: names.next(Self.shortened(Self.fileName(of: name))))
      }
      let special = tensor.spec.specialRoles(beside: rolesOfLayers[tensor.layer] ?? [])
      let role = special.first { roles[$0] != nil } ?? tensor.spec.role
      let name = names.next(name(layer: tensor.layer, role: role))
      return Name(tensor: name, file: Self.fileName(of: name))
    }
  }

  /// The first name that several of `tensors` get, where the template leaves out what tells them apart; `nil` if there is
  /// none.
  public func shared(by tensors: [Tensor]) -> (name: String, tensors: [Tensor])? {
    guard !pieces.contains(.layer) || !pieces.contains(.role) else { return nil }
    let named = tensors.map { (name: name(layer: $0.layer, role: $0.spec.role), tensor: $0) }
    let groups = Dictionary(grouping: named, by: \.name)
    return named.lazy.compactMap { groups[$0.name] }.first { $0.count > 1 }
      .map { ($0[0].name, $0.map(\.tensor)) }
  }

  /// The name of a file, without ending, for a tensor called `name`: a container's path is no folder.
  ///
  /// Dots alone are no file but a folder, if there is no ending.
  static func fileName(of name: String) -> String {
    guard name.contains(where: { $0 != "." }) else {
      return String(repeating: "_", count: max(1, name.count))
    }
    return sanitized(name)
  }

  /// The name of a tensor without ending, as long as no other has the same.
  package func name(layer: String, role: ParameterRole) -> String {
    // Of a tensor that has a name and no layer, both are the name.
    let isOne = layer == role.rawValue && roles[role] == nil && role.fileSuffix == layer
    let texts = pieces.map { piece in
      switch piece {
      case .text(let text): Self.sanitized(text, keeping: "/")
      case .layer: Self.sanitized(layer)
      case .role:
        roles[role].map { Self.sanitized($0, keeping: "/") } ?? Self.sanitized(role.fileSuffix)
      }
    }
    let fields = pieces.indices.filter { pieces[$0] == .layer || pieces[$0] == .role }
    guard isOne, let first = fields.first, let last = fields.last else {
      return Self.shortened(texts.joined())
    }
    return Self.shortened((texts[...first] + texts[(last + 1)...]).joined())
  }

  private static func sanitized(
    _ name: String, keeping kept: Unicode.Scalar? = nil
  ) -> String {
    String(
      String.UnicodeScalarView(
        name.plain.unicodeScalars.map { scalar in
          switch scalar {
          case "A"..."Z", "a"..."z", "0"..."9", ".", "_", "-", kept: scalar
          default: "_"
          }
        }))
  }

  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > maximumLength else { return name }
    let digest = hexadecimal(SHA256.hash(of: Array(name.utf8)).prefix(4))
    return name.prefix(maximumLength) + "-" + digest
  }
}
