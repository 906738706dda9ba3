import ModelIR

/// A container that tensors can be written to: what it is called, and what holds of it.
///
/// Each is a file in this folder and a line in ``allCases``. What writes it is an extension in `Writers`, what reads it
/// one in `Readers`; those two modules may not import one another, and all that they have in common is said here.
public struct OutputFormat: Sendable, RawRepresentable {
  /// The name on the command line, in manifests and in reports.
  public let rawValue: String
  /// What it consists of in a converted folder; the name of a folder ends in `/`.
  public let files: [String]
  /// What the names of further files begin with, of which there are as many as values need; `nil` if there are none.
  public let filePrefix: String?
  /// What the name of a file ends in that is this container and nothing else; `nil` if it cannot stand alone.
  public let ending: String?
  /// Whether the manifest is in it too, and what else lies beside the tensors.
  public let holdsManifest: Bool
  /// Whether it states the CRC-32 of each tensor.
  public let statesChecksums: Bool
  /// Whether it is text for a runtime or of a program that the weights are linked into, of certain targets alone; as a
  /// container netconv does not read it again.
  public let isSourceText: Bool
  /// The element types that it cannot hold.
  public let unsupportedTypes: Set<ElementType>
  /// Who writes and reads it.
  public let support: any ContainerSupport.Type

  /// A container; by default one that can hold every type, and only in a folder with a manifest.
  init(
    _ rawValue: String, files: [String], filePrefix: String? = nil, ending: String? = nil,
    holdsManifest: Bool = false,
    statesChecksums: Bool = false, isSourceText: Bool = false,
    unsupportedTypes: Set<ElementType> = [], support: any ContainerSupport.Type
  ) {
    self.rawValue = rawValue
    self.files = files
    self.filePrefix = filePrefix
    self.ending = ending
    self.holdsManifest = holdsManifest
    self.statesChecksums = statesChecksums
    self.isSourceText = isSourceText
    self.unsupportedTypes = unsupportedTypes
    self.support = support
  }

  /// The container of this name, if there is one.
  public init?(rawValue: String) {
    guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = format
  }

  /// The one file that it is, alone at least; `nil` if it is several.
  public var fileName: String? {
    files.count == 1 && !isFolder(files[0]) && (filePrefix == nil || ending != nil) ? files[0] : nil
  }

  /// Whether a file of a converted folder is a part of the container.
  public func owns(_ file: String) -> Bool {
    files.contains { isFolder($0) ? file.hasPrefix($0) : file == $0 }
      || filePrefix.map { file.hasPrefix($0) } ?? false
  }

  /// The names in a converted folder that belong to it.
  public var names: [String] { files.map { isFolder($0) ? String($0.dropLast()) : $0 } }

  private func isFolder(_ file: String) -> Bool { file.hasSuffix("/") }
}

extension OutputFormat: CaseIterable {
  /// Every container, in the order in which a reader prefers them; one line per file of this folder.
  public static let allCases: [OutputFormat] = [
    .bin,
    .archive,
    .safetensors,
    .npz,
    .c,
    .rtneural,
    .tfjs,
    .onnx,
  ]

  /// Those that netconv reads again.
  public static var readable: [OutputFormat] { allCases.filter { !$0.isSourceText } }

  /// Those that can hold all there is of an output.
  public static var whole: [OutputFormat] { allCases.filter(\.holdsManifest) }

  /// What the names of these end in, for messages.
  public static var wholeEndings: String { whole.compactMap(\.ending).joined(separator: " or ") }
}

extension OutputFormat: Hashable {
  /// Whether both have the same name, which only one container has.
  public static func == (first: OutputFormat, second: OutputFormat) -> Bool {
    first.rawValue == second.rawValue
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// What `Writers` and `Readers` extend, each for its own part of a container.
public protocol ContainerSupport: Sendable {
  /// The container.
  static var format: OutputFormat { get }
}
