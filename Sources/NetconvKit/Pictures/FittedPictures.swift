import Datasets
import ImageFilters
import ModelIR
import Pictures
import Synchronization

/// Pictures with labels on their way into an input, all in one shape.
struct FittedPictures: Sendable {
  /// The shape of what is fed of one.
  let shape: [Int]
  private let entries: [PictureEntry]
  private let fitting: PictureFitting
  private let tally = Tally()

  /// Counts what was done to pictures, across threads.
  private final class Tally: Sendable {
    /// By what was done: how many, and the name of the first.
    let counts = Mutex<[String: (count: Int, first: String)]>([:])
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

  /// What is fed of some of the pictures.
  ///
  /// - Throws: what reading one throws, `usage` if it does not fit.
  func values(of range: Range<Int>) throws(NetconvError) -> NDArray<Float> {
    let middle = range.lowerBound + range.count / 2
    let (first, second) = concurrently { () throws(NetconvError) in
      try part(range.lowerBound..<middle)
    } and: { () throws(NetconvError) in
      try part(middle..<range.upperBound)
    }
    return NDArray(shape: [range.count] + shape, values: try first.get() + second.get())
  }

  private func part(_ range: Range<Int>) throws(NetconvError) -> [Float] {
    var values: [Float] = []
    values.reserveCapacity(range.count * shape.reduce(1, *))
    for entry in entries[range] {
      let picture = try FittedPicture(entry, fitting, threads: 1)
      guard picture.shape == shape else {
        throw .differentPictures(entries[0].name, shape, picture.name, picture.shape)
      }
      tally.counts.withLock { counts in
        counts[picture.steps.words, default: (0, picture.name)].count += 1
      }
      values += picture.values
    }
    return values
  }

  /// What was done to the pictures that were fed, the most frequent first.
  var groups: [VerifyReport.PictureGroup] {
    tally.counts.withLock { $0 }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .map { VerifyReport.PictureGroup(text: $0.key, count: $0.value.count, first: $0.value.first) }
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
