import ModelIR

/// A container that tensors can be written to: its name and its properties.
///
/// Each is a file in this folder and a line in ``allCases``. Its writer is an extension in `Writers`, its reader one in
/// `Readers`. Those modules may not import each other; everything they share is defined here.
public struct OutputFormat: Sendable, RawRepresentable {
  /// The name on the command line, in manifests and in reports.
  public let rawValue: String
  /// The files in a converted folder; the name of a folder ends with `/`.
  public let files: [String]
  /// The files below the folder that a container is; empty if it is none, or if its files depend on the tensors.
  public let parts: [String]
  /// The common prefix of additional files, whose number depends on the values; `nil` if there are none.
  public let filePrefix: String?
  /// The extension of a file that is this container by itself; `nil` if it cannot stand alone.
  public let ending: String?
  /// True if the container includes the manifest and everything else in the output.
  public let holdsManifest: Bool
  /// True if the container stores the CRC-32 of each tensor.
  public let statesChecksums: Bool
  /// True if the container is source text or a runtime's own format, for certain targets only; netconv does not read it
  /// back as a container.
  public let isSourceText: Bool
  /// True if the container is the graph of another framework, which needs a form of each layer.
  public let isGraph: Bool
  /// The unsupported element types.
  public let unsupportedTypes: Set<ElementType>
  /// The type that writers and readers extend.
  public let support: any ContainerSupport.Type

  /// Creates a container; by default it supports all element types and needs a folder with a manifest.
  init(
    _ rawValue: String, files: [String], parts: [String] = [], filePrefix: String? = nil,
    ending: String? = nil,
    holdsManifest: Bool = false,
    statesChecksums: Bool = false, isSourceText: Bool = false, isGraph: Bool = false,
    unsupportedTypes: Set<ElementType> = [], support: any ContainerSupport.Type
  ) {
    self.rawValue = rawValue
    self.files = files
    self.parts = parts
    self.filePrefix = filePrefix
    self.ending = ending
    self.holdsManifest = holdsManifest
    self.statesChecksums = statesChecksums
    self.isSourceText = isSourceText
    self.isGraph = isGraph
    self.unsupportedTypes = unsupportedTypes
    self.support = support
  }

  /// Returns the container with this name, if there is one.
  public init?(rawValue: String) {
    guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = format
  }

  /// The file name of a container that is a single file; `nil` if there are several.
  public var fileName: String? {
    files.count == 1 && !isFolder(files[0]) && (filePrefix == nil || ending != nil) ? files[0] : nil
  }

  /// The name of a container that can stand alone, in the folder that it is written into.
  public var publishedName: String? { fileName ?? (ending == nil ? nil : names.first) }

  /// Returns true if a file of a converted folder belongs to the container.
  public func owns(_ file: String) -> Bool {
    files.contains { isFolder($0) ? file.hasPrefix($0) : file == $0 }
      || filePrefix.map { file.hasPrefix($0) } ?? false
  }

  /// The names in a converted folder that belong to the container.
  public var names: [String] { files.map { isFolder($0) ? String($0.dropLast()) : $0 } }

  /// The path of the file with the graph in a converted folder; `nil` if the container is none.
  public var graphName: String? {
    guard isGraph else { return nil }
    return parts.isEmpty ? fileName : partNames.dropFirst().first
  }

  /// The paths of ``parts`` in a converted folder.
  public var partNames: [String] { parts.map { (files.first ?? "") + $0 } }

  private func isFolder(_ file: String) -> Bool { file.hasSuffix("/") }
}

extension OutputFormat: CaseIterable {
  /// All containers, in the order in which readers prefer them; one line per file of this folder.
  public static let allCases: [OutputFormat] = [
    .bin,
    .archive,
    .safetensors,
    .shards,
    .npz,
    .gguf,
    .c,
    .rtneural,
    .tfjs,
    .onnx,
    .tflite,
    .coreml,
  ]

  /// The containers that netconv reads back.
  public static var readable: [OutputFormat] { allCases.filter { !$0.isSourceText } }

  /// The containers that are graphs of other frameworks.
  public static var graphs: [OutputFormat] { allCases.filter(\.isGraph) }

  /// The containers that include everything in an output.
  public static var whole: [OutputFormat] { allCases.filter(\.holdsManifest) }

  /// The extensions of these, for messages.
  public static var wholeEndings: String { whole.compactMap(\.ending).joined(separator: " or ") }
}

extension OutputFormat: Hashable {
  /// Returns true if both have the same name, which is unique.
  public static func == (first: OutputFormat, second: OutputFormat) -> Bool {
    first.rawValue == second.rawValue
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// The protocol that `Writers` and `Readers` extend for each container.
public protocol ContainerSupport: Sendable {
  /// The container.
  static var format: OutputFormat { get }
}
