import Files
import ModelIR
import Pictures

/// Files of pictures, each with its class: a folder that has a folder for each class, or a list in CSV.
public struct PictureList: Sendable, Equatable {
  /// A file and the number of its class.
  public struct Entry: Sendable, Equatable {
    /// Where the picture is.
    public let path: String
    /// From 0 on.
    public let label: Int
  }

  /// How folders or words became numbers of classes.
  public enum Order: String, Sendable {
    /// They are numbers.
    case numbers
    /// As a file of labels has them.
    case labels
    /// Folders in alphabetical order, as Keras's `image_dataset_from_directory` has them.
    case alphabet
  }

  /// The pictures, sorted by class and name, or as the list has them.
  public let entries: [Entry]
  /// How their classes were found.
  public let order: Order
  /// The classes that the order tells by name; empty for numbers.
  public let names: [String]
  /// Files of folders that were left out, since they do not end as pictures do.
  public let others: [String]

  /// The pictures of a folder, or of a list if `path` ends in `.csv`.
  ///
  /// - Parameters:
  ///   - path: the folder, or the list, whose paths start at its own folder.
  ///   - labels: the names of the classes in their order, if a file has them.
  /// - Throws: `cannotOpen`, or `badData` if there is no picture, or a class has no number.
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

  /// Whether a file is taken for a picture by its name.
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

  /// The numbers of classes that have a folder each.
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

  /// `7` or `07`.
  private static func number(_ text: some StringProtocol) -> Int? {
    text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
  }
}

// MARK: - Lists

extension PictureList {
  /// Bytes of a list, at most.
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

  /// What the second column may be called in a first line that is no picture.
  private static let titles: Set = ["label", "class"]

  /// The fields of a line; in quotes, two of them are one (RFC 4180).
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
