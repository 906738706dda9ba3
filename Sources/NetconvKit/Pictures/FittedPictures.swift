import Datasets
import ImageFilters
import ModelIR
import Pictures
import Synchronization

/// Pictures on their way into an input, all in one shape.
struct FittedPictures: Sendable {
  /// The shape of what is fed of one.
  let shape: [Int]
  private let entries: [PictureEntry]
  private let fitting: PictureFitting
  private let notes = Notes()

  /// What is known of the pictures that were fed; behind a reference, since that grows while they are.
  private final class Notes: Sendable {
    let facts = Mutex(PictureFacts())
  }

  /// Pictures of which the first says in what shape all of them are fed.
  ///
  /// - Throws: `usage` if the input takes no pictures, or not the first; what reading it throws.
  init(
    _ entries: [PictureEntry], into input: ModelInput, hasChannelsFirst: Bool,
    _ steps: [PixelStep]
  ) throws(NetconvError) {
    self.entries = entries
    fitting = try PictureFitting(into: input, hasChannelsFirst: hasChannelsFirst, steps)
    shape = try FittedPicture(entries[0], fitting).shape
  }

  /// How many there are.
  var count: Int { entries.count }

  /// Some of the pictures as the input takes them, two at a time.
  ///
  /// - Throws: what reading one throws, `usage` if it does not fit.
  func pictures(_ range: Range<Int>) throws(NetconvError) -> [FittedPicture] {
    // One alone has all threads for itself.
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

  /// One of the pictures, to be looked at: nothing is noted of it.
  ///
  /// - Throws: what reading it throws.
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

  /// What is fed of pictures.
  func values(of pictures: [FittedPicture]) -> NDArray<Float> {
    NDArray(shape: [pictures.count] + shape, values: pictures.flatMap(\.values))
  }

  /// What was done to the pictures that were fed, the most frequent first.
  var groups: [VerifyReport.PictureGroup] {
    notes.facts.withLock(\.groups).byFrequency
  }

  /// What a user should know of the pictures that were fed.
  var events: [Event] { notes.facts.withLock(\.events) }
}

/// What is known of pictures.
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

/// A picture as an input takes it.
struct FittedPicture {
  /// What it is called.
  let name: String
  /// What it was.
  let form: PictureForm
  /// What was done to it.
  let steps: [PixelStep]
  /// What its file says of its colours, and what is ignored.
  let ignoredProfile: PictureFile.IgnoredProfile?
  /// Whether it is transparent in places where colours are taken that lie beneath.
  let showsHiddenColors: Bool
  /// What is fed.
  let values: [Float]
  /// The shape of that.
  let shape: [Int]

  /// Reads a picture and takes it into an input.
  ///
  /// - Parameter threads: how many share the work; as many as there are cores if it is `nil`.
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
  /// Whether nothing shines through.
  fileprivate var isOpaque: Bool {
    !hasAlpha
      || stride(from: channels - 1, to: values.count, by: channels).allSatisfy { values[$0] == 255 }
  }
}
