internal import CSystemCalls
import Files
import ModelIR

/// What is known of the process that reads HDF5 files; used by one thread at a time.
struct HelperState: ~Copyable {
  struct Settings: Sendable {
    let program: String
    let patience: Duration
    let isCancelled: @Sendable () -> Bool
    let onUnfiltered: @Sendable (String) -> Void
  }

  /// Values that are, or will be, in a place of the shared memory.
  private struct Extent {
    let file: Int
    let address: ObjectAddress
    let range: Range<Int>
    let slot: Int

    /// Whether the value at `place` of a dataset is one of them.
    func holds(_ place: Int, of address: ObjectAddress, in file: Int) -> Bool {
      self.file == file && self.address == address && range.contains(place)
    }
  }

  private let settings: Settings
  /// Whether the process has answered.
  private var isReady: Bool { process?.isReady ?? false }
  private var process: HelperProcess?
  /// The files that this process, not one before it, has open.
  private var files: Set<Int> = []
  /// Values that are there.
  private var present: Extent?
  /// Values that have been asked for.
  private var expected: Extent?

  init(settings: Settings) {
    self.settings = settings
  }

  // MARK: The process

  mutating func start() throws(NetconvError) {
    // What has ended while nobody asked for anything is no file's fault.
    if isReady, expected == nil, let process, process.isGone { end() }
    guard process == nil else { return }
    process = try HelperProcess(settings)
  }

  var processIdentifier: Int32? { process?.identifier }

  mutating func end() {
    process?.end()
    forget()
  }

  /// What a process had is gone with it.
  private mutating func forget() {
    (process, files, present, expected) = (nil, [], nil, nil)
  }

  /// Sends a request and waits for its answer; after a failure the process is gone.
  private mutating func ask(
    _ request: HelperRequest, with file: Int32 = -1
  ) throws(NetconvError) -> HelperAnswer {
    try settle()
    try start()
    return try with { process throws(HelperProcess.Failure) in
      process.send(request, with: file)
      return try process.answer()
    }
  }

  /// Does something with the process, and ends it if that fails.
  ///
  /// - Parameter isNamed: whether what it was at stands in the error; who reads values knows whose.
  private mutating func with<Result>(
    isNamed: Bool = true, _ body: (inout HelperProcess) throws(HelperProcess.Failure) -> Result
  ) throws(NetconvError) -> Result {
    guard var running = process else { throw .helperAnsweredNonsense() }
    do throws(HelperProcess.Failure) {
      let result = try body(&running)
      process = running
      return result
    } catch {
      forget()
      throw running.end(after: error, isNamed: isNamed)
    }
  }

  /// Takes delivery of values that nobody wants any more.
  ///
  /// - Throws: `interrupted`; what is wrong with them is found once they are wanted.
  private mutating func settle() throws(NetconvError) {
    do {
      try receiveExpected()
    } catch {
      if error.kind == .interrupted { throw error }
    }
  }

  // MARK: Files

  /// Opens a file.
  ///
  /// - Returns: its index, if that is wanted.
  mutating func open(
    _ number: Int, _ window: FileWindow, wantsIndex: Bool
  ) throws(NetconvError) -> HDF5Index? {
    let answer = try ask(
      .open(
        file: number, base: window.base, size: window.size, path: window.file.path,
        wantsIndex: wantsIndex), with: window.file.descriptor)
    switch answer {
    case .failed(let error): throw error
    case .done where !wantsIndex:
      files.insert(number)
      return nil
    case .index(let wire) where wantsIndex:
      files.insert(number)
      do throws(IndexDecoder.Failure) {
        return try IndexDecoder.index(in: wire)
      } catch {
        if case .refused(let error) = error { throw error }
      }
      fallthrough
    default:
      return try with { _ throws(HelperProcess.Failure) in throw .nonsense }
    }
  }

  mutating func close(_ number: Int) {
    guard files.remove(number) != nil else { return }
    process?.send(.close(file: number))
  }

  // MARK: Values

  /// Reads values, and asks for those that follow if values are read from front to back.
  mutating func read(
    _ range: Range<Int>, of values: StoredValues, in file: Int, _ window: FileWindow,
    into destination: Destination
  ) throws(NetconvError) {
    var place = range.lowerBound
    while place < range.upperBound {
      let extent = try extent(
        from: place, wanted: range.upperBound - place, of: values, in: file, window)
      let end = min(extent.range.upperBound, range.upperBound)
      guard let process, place < end else { throw .helperAnsweredNonsense() }
      let source = UnsafeRawBufferPointer(process.memory.slot(extent.slot))
      let (first, count) = (
        (place - extent.range.lowerBound) * values.byteCount, (end - place) * values.byteCount
      )
      UnsafeMutableRawBufferPointer(
        rebasing: destination.buffer[((place - range.lowerBound) * values.byteCount)...]
      ).copyMemory(from: UnsafeRawBufferPointer(rebasing: source[first..<first + count]))
      place = end
    }
  }

  /// Values that are in the shared memory, the one at `place` among them.
  private mutating func extent(
    from place: Int, wanted: Int, of values: StoredValues, in file: Int, _ window: FileWindow
  ) throws(NetconvError) -> Extent {
    if let present, present.holds(place, of: values.address, in: file) { return present }
    let isExpected = expected?.holds(place, of: values.address, in: file) ?? false
    // Who reads on where the last values end, or begins at the beginning, will read on.
    let isSequential =
      place == 0 || isExpected
      || (present.map { $0.holds(place - 1, of: values.address, in: file) } ?? false)
    if isExpected {
      do {
        try receiveExpected()
      } catch {
        guard process != nil else { throw error }
        // What is wanted may be in order, and only what follows it damaged.
        try receive(place, wanted, isSequential: false, of: values, in: file, window)
      }
    } else {
      try settle()
      try receive(place, wanted, isSequential: isSequential, of: values, in: file, window)
    }
    guard let extent = present else { throw .helperAnsweredNonsense() }
    if isSequential {
      try request(
        extent.range.upperBound, count: .max, of: values, in: file,
        slot: (extent.slot + 1) % HelperMemory.slotCount)
    }
    return extent
  }

  /// Has values put into the shared memory; all that there is room for if they are read from front to back.
  private mutating func receive(
    _ place: Int, _ wanted: Int, isSequential: Bool, of values: StoredValues, in file: Int,
    _ window: FileWindow
  ) throws(NetconvError) {
    try start()
    if !files.contains(file) { _ = try open(file, window, wantsIndex: false) }
    try request(place, count: isSequential ? .max : wanted, of: values, in: file, slot: 0)
    do {
      try receiveExpected()
    } catch {
      guard isSequential, process != nil else { throw error }
      // What is wanted may be in order, and only what follows it damaged.
      try receive(place, wanted, isSequential: false, of: values, in: file, window)
    }
  }

  /// Asks for as many values from `place` on as there is room for, `count` at most; for none past the last.
  private mutating func request(
    _ place: Int, count: Int, of values: StoredValues, in file: Int, slot: Int
  ) throws(NetconvError) {
    let rest = try product(values.shape) - place
    let room = HelperMemory.slotSize / max(1, values.byteCount)
    guard rest > 0 else { return }
    let range = place..<place + min(count, rest, max(1, room))
    // What was there is overwritten, whether or not something comes of it.
    if present?.slot == slot { present = nil }
    process?.send(.read(file: file, values: values, range: range, slot: slot))
    expected = Extent(file: file, address: values.address, range: range, slot: slot)
  }

  /// Waits for the values that have been asked for, if any have.
  private mutating func receiveExpected() throws(NetconvError) {
    guard let extent = expected else { return }
    expected = nil
    let answer = try with(isNamed: false) { process throws(HelperProcess.Failure) in
      let answer = try process.answer()
      switch answer {
      case .done, .failed: return answer
      default: throw .nonsense
      }
    }
    if case .failed(let error) = answer { throw error }
    present = extent
  }
}
