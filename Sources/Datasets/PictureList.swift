import Files
import ModelIR
import Pictures

/// Picture files with their classes: a folder with a subfolder per class, or a CSV list.
public struct PictureList: Sendable, Equatable {
  /// A file and the index of its class.
  public struct Entry: Sendable, Equatable {
    /// The path of the picture.
    public let path: String
    /// The index of the class.
    public let label: Int
  }

  /// The source of the class indices.
  public enum Order: String, Sendable {
    /// The names are numbers.
    case numbers
    /// The order of a label file.
    case labels
    /// The alphabetical order of folders, as in Keras's `image_dataset_from_directory`.
    case alphabet
  }

  /// The pictures, sorted by class and name, or in the order of the list.
  public let entries: [Entry]
  /// The source of the class indices.
  public let order: Order
  /// The names of the classes in order; empty for numbers.
  public let names: [String]
  /// The files in folders that were skipped because of their extensions.
  public let others: [String]

  /// Reads the pictures of a folder, or of a list if `path` has the extension `.csv`.
  ///
  /// - Parameters:
  ///   - path: The folder, or the list, whose paths are relative to its own folder.
  ///   - labels: The names of the classes in order, if known.
  /// - Throws: `cannotOpen`, or `badData` if there is no picture, or if a class has no index.
  public init(_ path: String, labels: [String]? = nil) throws(NetconvError) {
    do throws(NetconvError) {
      self =
        Directory.isDirectory(path)
        ? try PictureList(folder: path, labels: labels) : try PictureList(csv: path, labels: labels)
    } catch {
      throw error.inFile(path)
    }
  }

  private init(
    _ entries: [Entry], _ order: Order, _ names: [String], _ others: [String]
  ) throws(NetconvError) {
    guard !entries.isEmpty else { throw .noPictures }
    (self.entries, self.order, self.names, self.others) = (entries, order, names, others)
  }

  /// True if the file name is that of a picture.
  public static func isPicture(_ path: String) -> Bool {
    let name = Directory.lastComponent(of: path).lowercased()
    return !name.hasPrefix(".") && PictureFormat.endings.contains { name.hasSuffix("." + $0) }
  }
}

// MARK: - Folders

extension PictureList {
  private init(folder: String, labels: [String]?) throws(NetconvError) {
    let classes = try Directory.names(in: folder).filter { name in
      !name.hasPrefix(".") && Directory.isDirectory("\(folder)/\(name)")
    }
    guard !classes.isEmpty else { throw .noClassFolders }
    let (numbers, order) = try Self.numbers(of: classes, labels)
    var entries: [Entry] = []
    var others: [String] = []
    for (name, number) in zip(classes, numbers).sorted(by: { $0.1 < $1.1 }) {
      for file in try Directory.files(below: "\(folder)/\(name)") {
        if Self.isPicture(file) {
          entries.append(Entry(path: "\(folder)/\(name)/\(file)", label: number))
        } else if !Directory.lastComponent(of: file).hasPrefix(".") {
          others.append("\(name)/\(file)")
        }
      }
    }
    try self.init(entries, order, labels ?? (order == .numbers ? [] : classes), others)
  }

  /// The indices of classes that have a folder each.
  private static func numbers(
    of classes: [String], _ labels: [String]?
  ) throws(NetconvError) -> ([Int], Order) {
    let numbers = classes.compactMap { Self.number($0) }
    let areNumbers = numbers.count == classes.count
    if let labels, !areNumbers || classes.allSatisfy(labels.contains) {
      return (
        try classes.map { name throws(NetconvError) in
          guard let index = labels.firstIndex(of: name) else { throw .unknownClass(name) }
          return index
        }, .labels
      )
    }
    return areNumbers
      ? (numbers, .numbers) : (Array(classes.indices), .alphabet)
  }

  /// A number such as `7` or `07`.
  private static func number(_ text: some StringProtocol) -> Int? {
    text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
  }
}

// MARK: - Lists

extension PictureList {
  /// The largest list in bytes.
  private static let largestList = 256 << 20

  private init(csv path: String, labels: [String]?) throws(NetconvError) {
    let text = String(
      decoding: try RandomAccessFile(path: path).contents(limit: Self.largestList), as: UTF8.self)
    let folder = Directory.parent(of: path)
    var entries: [Entry] = []
    var isByName = false
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated() where line.contains(where: { !$0.isWhitespace })
    {
      let fields = try Self.fields(of: line, number: index + 1)
      guard fields.count == 2 else { throw .wrongListLine(index + 1, fields: fields.count) }
      if entries.isEmpty, index == 0, Self.titles.contains(fields[1].lowercased()) { continue }
      let byName = labels?.firstIndex(of: fields[1])
      guard let label = byName ?? Self.number(fields[1]) else { throw .unknownClass(fields[1]) }
      isByName = isByName || byName != nil
      entries.append(
        Entry(path: fields[0].hasPrefix("/") ? fields[0] : "\(folder)/\(fields[0])", label: label))
    }
    try self.init(entries, isByName ? .labels : .numbers, isByName ? labels ?? [] : [], [])
  }

  /// The possible titles of the second column in a header line.
  private static let titles: Set = ["label", "class"]

  /// The fields of a line; in a quoted field, two quotes stand for one (RFC 4180).
  private static func fields(
    of line: Substring, number: Int
  ) throws(NetconvError) -> [String] {
    var fields = [""]
    var isQuoted = false
    var previous: Character?
    for character in line {
      switch (character, isQuoted) {
      case ("\"", true): isQuoted = false
      case ("\"", false):
        if previous == "\"" { fields[fields.count - 1].append("\"") }
        isQuoted = true
      case (",", false): fields.append("")
      default: fields[fields.count - 1].append(character)
      }
      previous = character
    }
    guard !isQuoted else { throw .openQuote(number) }
    return fields.map(\.trimmed)
  }
}

extension NetconvError {
  fileprivate static var noClassFolders: NetconvError {
    NetconvError(
      .badData,
      "holds no folders; put the pictures of each class into a folder of its name, or list them in a "
        + ".csv file")
  }

  fileprivate static func unknownClass(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "\(quoted(name)) is neither a class index nor one of the labels; pass the names of the classes in "
        + "order with \(.labels)")
  }

  fileprivate static func wrongListLine(_ line: Int, fields: Int) -> NetconvError {
    NetconvError(
      .badData,
      "line \(line) has \(fields) \(fields == 1 ? "field" : "fields"), expected a path and a class, with a comma "
        + "between"
    )
  }

  fileprivate static func openQuote(_ line: Int) -> NetconvError {
    NetconvError(.badData, "line \(line) has a quotation mark that is not closed")
  }
}
