import Digests
import ModelIR

/// A naming scheme that turns layers and roles into safe, unique names, whatever the names in the source.
public struct FileNaming: Sendable {
  /// The scheme that Forge and most hand-written loaders expect: `conv1_W`, `conv1_b`.
  public static let standard = FileNaming(pieces: [.layer, .text("_"), .role])

  private enum Piece: Sendable, Equatable {
    case text(String)
    case layer
    case role
  }

  /// Longer names are truncated; most file systems allow 255 bytes.
  private static let maximumLength = 200

  /// Longer extensions are rejected, so that a file's name including the extension stays below 255 bytes.
  private static let maximumEnding = 32

  private let pieces: [Piece]
  private let roles: [ParameterRole: String]
  /// The fixed names of some tensors, which override the template.
  private let known: [TensorKey: String]
  /// The extension of single-tensor files with its dot, empty for none; `nil` if the template does not specify one.
  public let fileEnding: String?

  private init(pieces: [Piece]) {
    self.pieces = pieces
    roles = [:]
    known = [:]
    fileEnding = nil
  }

  /// Creates a scheme with fixed names, which containers use unchanged.
  public init(names: [TensorKey: String]) {
    self.init(Self.standard, names: names)
  }

  /// Creates a scheme with fixed names for some tensors, which containers use unchanged.
  public init(_ naming: FileNaming, names: [TensorKey: String]) {
    pieces = naming.pieces
    roles = naming.roles
    known = names
    fileEnding = naming.fileEnding
  }

  /// Creates a scheme from a template such as `{layer}_{role}`, or `{layer}_{role}.dat` with the extension of files.
  ///
  /// The text after the last dot is the extension if that dot follows both placeholders; if the text is empty, files
  /// have none. The extension is not part of tensors' names.
  ///
  /// - Parameters:
  ///   - template: the template; a slash stays a slash in the names of tensors, and becomes an underscore in those of
  ///     files.
  ///   - roles: the names of roles, which also apply to their scales; roles that are not listed use their
  ///     ``ParameterRole/fileSuffix``.
  /// - Throws: `usage` if braces enclose anything else, there is no placeholder, or the extension is too long.
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
    // The names of scales derive from the role they belong to, as in `weight_scale`.
    let scales = roles.map { ($0.key.scale, ParameterRole(rawValue: $0.value).scale.rawValue) }
    self.roles = roles.merging(scales) { word, _ in word }
  }

  /// Splits the text after the last placeholder into text and extension, including the dot.
  private static func splitEnding(_ rest: Substring) -> (text: String, ending: String?) {
    guard let dot = rest.lastIndex(of: "."), !rest[dot...].contains("/") else {
      return (String(rest), nil)
    }
    return (String(rest[..<dot]), String(rest[dot...]))
  }

  /// The name of a tensor, and of the file for it alone.
  public struct Name: Sendable, Equatable {
    /// The name in containers, the manifest and reports.
    public let tensor: String
    /// The file name without its extension; unique regardless of case.
    public let file: String
  }

  /// Returns the names of `tensors`, in order.
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

  /// Returns the first name that the template assigns to several of `tensors`; `nil` if all are distinct.
  public func shared(by tensors: [Tensor]) -> (name: String, tensors: [Tensor])? {
    guard !pieces.contains(.layer) || !pieces.contains(.role) else { return nil }
    let named = tensors.map { (name: name(layer: $0.layer, role: $0.spec.role), tensor: $0) }
    let groups = Dictionary(grouping: named, by: \.name)
    return named.lazy.compactMap { groups[$0.name] }.first { $0.count > 1 }
      .map { ($0[0].name, $0.map(\.tensor)) }
  }

  /// Returns the file name, without extension, for a tensor called `name`; a path in a container does not become a
  /// folder.
  ///
  /// A name of dots only would denote a folder if there is no extension.
  static func fileName(of name: String) -> String {
    guard name.contains(where: { $0 != "." }) else {
      return String(repeating: "_", count: max(1, name.count))
    }
    return sanitized(name)
  }

  /// Returns the name of a tensor before it is made unique.
  package func name(layer: String, role: ParameterRole) -> String {
    // A tensor that has a name but no layer uses the name for both.
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

extension NetconvError {
  fileprivate static func badNaming(_ template: String) -> NetconvError {
    NetconvError(
      .usage,
      "naming \(quoted(template)) cannot be used; write a template with {layer} and {role}, "
        + "for example '{layer}_{role}'")
  }

  fileprivate static func longEnding(_ template: String, limit: Int) -> NetconvError {
    NetconvError(
      .usage,
      "naming \(quoted(template)) has an extension of more than \(limit) bytes after the last dot")
  }
}
