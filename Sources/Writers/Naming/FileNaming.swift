import Crypto
import ModelIR

/// Turns layer and role into file names that are safe and unique, whatever a source calls its layers.
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

  private let pieces: [Piece]

  private init(pieces: [Piece]) {
    self.pieces = pieces
  }

  /// A naming after a template such as `{layer}_{role}`.
  ///
  /// - Throws: `usage` if a brace encloses anything else, or neither field is there.
  public init(template: String) throws(NetconvError) {
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
    self.pieces = pieces + [.text(String(rest))]
  }

  /// The names of `tensors`, without ending, in order; no two are equal, whatever the case.
  public func names(for tensors: [Tensor]) -> [String] {
    var taken: Set<String> = []
    // The number that the next tensor of a name can begin to try with.
    var numbers: [String: Int] = [:]
    return tensors.map { tensor in
      let name = name(layer: tensor.layer, role: tensor.spec.role)
      var unique = name
      var number = numbers[name.lowercased(), default: 2]
      while !taken.insert(unique.lowercased()).inserted {
        unique = "\(name)-\(number)"
        number += 1
      }
      numbers[name.lowercased()] = number
      return unique
    }
  }

  /// The name of a tensor without ending, as long as no other has the same.
  package func name(layer: String, role: ParameterRole) -> String {
    let name = pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .layer: layer
      case .role: role.fileSuffix
      }
    }.joined()
    return shortened(sanitized(name))
  }

  private func sanitized(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          switch scalar {
          case "A"..."Z", "a"..."z", "0"..."9", ".", "_", "-": scalar
          default: "_"
          }
        }))
  }

  private func shortened(_ name: String) -> String {
    guard name.utf8.count > Self.maximumLength else { return name }
    let digest = hexadecimal(SHA256.hash(data: Array(name.utf8)).prefix(4))
    return name.prefix(Self.maximumLength) + "-" + digest
  }
}
