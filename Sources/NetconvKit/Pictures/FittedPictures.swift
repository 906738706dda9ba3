import Datasets
import ImageFilters
import ModelIR
import Pictures
import Synchronization

/// Pictures as samples of an input, all in one shape.
struct FittedPictures: Sendable {
  /// The shape in which a picture is fed.
  let shape: [Int]
  private let entries: [PictureEntry]
  private let fitting: PictureFitting
  private let notes = Notes()

  /// Facts about the pictures that were fed; a class, because they are collected while pictures are read.
  private final class Notes: Sendable {
    let facts = Mutex(PictureFacts())
  }

  /// Creates samples from pictures, of which the first determines the shape of all.
  ///
  /// - Throws: `usage` if the input does not accept pictures, or not the first one; any error from reading it.
  init(
    _ entries: [PictureEntry], into input: ModelInput, hasChannelsFirst: Bool,
    _ steps: [PixelStep]
  ) throws(NetconvError) {
    self.entries = entries
    fitting = try PictureFitting(into: input, hasChannelsFirst: hasChannelsFirst, steps)
    shape = try FittedPicture(entries[0], fitting).shape
  }

  /// The number of pictures.
  var count: Int { entries.count }

  /// Returns some of the pictures as the input expects them, read two at a time.
  ///
  /// - Throws: any error from reading a picture, `usage` if it does not fit.
  func pictures(_ range: Range<Int>) throws(NetconvError) -> [FittedPicture] {
    // A single picture can use all threads.
    let threads = range.count == 1 ? nil : 1
    let middle = range.lowerBound + range.count / 2
    let (first, second) = concurrently { () throws(NetconvError) in
      try part(range.lowerBound..<middle, threads)
    } and: { () throws(NetconvError) in
      try part(middle..<range.upperBound, threads)
    }
    let pictures = try first.get() + second.get()
    notes.facts.withLock { facts in
      for picture in pictures { facts.add(picture) }
    }
    return pictures
  }

  /// Returns a picture for display, without collecting facts about it.
  ///
  /// - Throws: any error from reading it.
  func picture(at index: Int) throws(NetconvError) -> FittedPicture {
    try FittedPicture(entries[index], fitting)
  }

  private func part(
    _ range: Range<Int>, _ threads: Int?
  ) throws(NetconvError) -> [FittedPicture] {
    try entries[range].map { entry throws(NetconvError) in
      let picture = try FittedPicture(entry, fitting, threads: threads)
      guard picture.shape == shape else {
        throw .differentPictures(entries[0].name, shape, picture.name, picture.shape)
      }
      return picture
    }
  }

  /// Returns the values of pictures, as they are fed.
  func values(of pictures: [FittedPicture]) -> NDArray<Float> {
    NDArray(shape: [pictures.count] + shape, values: pictures.flatMap(\.values))
  }

  /// Groups of pictures with the same preprocessing, largest first.
  var groups: [VerifyReport.PictureGroup] {
    notes.facts.withLock(\.groups).byFrequency
  }

  /// Events for the user about the pictures that were fed.
  var events: [Event] { notes.facts.withLock(\.events) }
}

/// Facts about pictures.
private struct PictureFacts {
  private var counts: [String: (count: Int, first: String)] = [:]
  private var profiles: [String: [String]] = [:]
  private var transparent: [String] = []

  mutating func add(_ picture: FittedPicture) {
    counts[picture.steps.words, default: (0, picture.name)].count += 1
    if let profile = picture.ignoredProfile {
      profiles[profile.words, default: []].append(picture.name)
    }
    if picture.showsHiddenColors { transparent.append(picture.name) }
  }

  var groups: [VerifyReport.PictureGroup] {
    counts.map {
      VerifyReport.PictureGroup(text: $0.key, count: $0.value.count, first: $0.value.first)
    }
  }

  var events: [Event] {
    profiles.sorted { $0.key < $1.key }.map { Event.ignoredProfile($0.key, $0.value) }
      + (transparent.isEmpty ? [] : [.transparent(transparent)])
  }
}

/// A picture as an input expects it.
struct FittedPicture {
  /// The name of the picture.
  let name: String
  /// The size and channels of the original.
  let form: PictureForm
  /// The preprocessing that was applied.
  let steps: [PixelStep]
  /// The colour profile in its file that is ignored.
  let ignoredProfile: PictureFile.IgnoredProfile?
  /// True if it has transparent pixels whose hidden colours are used.
  let showsHiddenColors: Bool
  /// The values that are fed.
  let values: [Float]
  /// The shape of the values.
  let shape: [Int]

  /// Reads a picture and fits it to an input.
  ///
  /// - Parameter threads: the number of threads to use; `nil` for one per core.
  /// - Throws: `usage`, `badData`, `cannotOpen` or `inputOutput`, naming the picture.
  init(
    _ entry: PictureEntry, _ fitting: PictureFitting, threads: Int? = nil
  ) throws(NetconvError) {
    do throws(NetconvError) {
      let contents = try entry.read()
      let steps = try fitting.steps(for: contents.picture.form)
      let picture = try contents.picture.applying(steps, threads: threads)
      name = entry.name
      form = contents.picture.form
      self.steps = steps
      ignoredProfile = contents.ignoredProfile
      showsHiddenColors = steps.contains(.opaque(nil)) && !contents.picture.isOpaque
      values = fitting.values(of: picture)
      shape = fitting.shape(of: picture.form)
    } catch {
      throw error.inFile(entry.name)
    }
  }
}

extension Picture {
  /// True if the picture has no transparent pixels.
  fileprivate var isOpaque: Bool {
    !hasAlpha
      || stride(from: channels - 1, to: values.count, by: channels).allSatisfy { values[$0] == 255 }
  }
}

extension NetconvError {
  fileprivate static func differentPictures(
    _ name: String, _ shape: [Int], _ other: String, _ otherShape: [Int]
  ) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(quoted(name)) is fed with shape \(Shape(shape)), \(quoted(other)) with \(Shape(otherShape)), but all of them go "
        + "into one batch; give them one size with \(.filters), such as 'fill=224x224'")
  }
}

extension Event {
  /// A warning about properties of pictures that are ignored.
  fileprivate static func ignoredProfile(_ profile: String, _ pictures: [String]) -> Event {
    .warning(
      "\(pictures.count == 1 ? "a picture has" : "\(pictures.count) pictures have") \(profile), which is ignored: "
        + "colours are assumed to be sRGB",
      details: pictures.prefix(8).map { Message(text: $0) })
  }

  fileprivate static func transparent(_ pictures: [String]) -> Event {
    .warning(
      "\(pictures.count == 1 ? "a picture is" : "\(pictures.count) pictures are") partly transparent; the "
        + "colours of transparent pixels are used; \(.filters) 'opaque=255' adds a white background",
      details: pictures.prefix(8).map { Message(text: $0) })
  }
}
