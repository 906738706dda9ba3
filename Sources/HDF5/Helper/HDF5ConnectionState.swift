import Confinement
import Files
import ModelIR

/// The state of the connection to the HDF5 helper process; used by one thread at a time.
struct HDF5ConnectionState: ~Copyable {
  /// A range of values that are, or will be, in a slot of the shared memory.
  private struct Extent {
    let file: Int
    let address: ObjectAddress
    let range: Range<Int>
    let slot: Int

    /// Returns true if the range contains the value at index `place` of a dataset.
    func holds(_ place: Int, of address: ObjectAddress, in file: Int) -> Bool {
      self.file == file && self.address == address && range.contains(place)
    }
  }

  private var helper: Helper
  /// The files that the current process has open.
  private var files: Set<Int> = []
  /// The values in shared memory.
  private var present: Extent?
  /// The values that have been requested.
  private var expected: Extent?

  init(_ settings: HelperSettings) {
    helper = Helper(HDF5Service.purpose, settings)
  }

  // MARK: Process

  mutating func start() throws(NetconvError) {
    if expected == nil {
      helper.endIfGone()
      if !helper.isRunning { forget() }
    }
    try helper.start()
  }

  var processIdentifier: Int32? { helper.processIdentifier }

  /// Discards the state of a process that has ended.
  private mutating func forget() {
    (files, present, expected) = ([], nil, nil)
  }

  /// Sends a request and waits for its reply; ends the process on failure.
  private mutating func ask(
    _ request: HDF5Request, with file: Int32 = -1
  ) throws(NetconvError) -> HelperReply {
    try settle()
    try start()
    return try with { process throws(HelperProcess.Failure) in
      process.send(request.bytes, with: file)
      return try process.reply()
    }
  }

  /// Runs `body` with the process, and ends the process if `body` fails.
  ///
  /// - Parameter isNamed: True if errors name the object that was being processed; readers of values add it
  ///   themselves.
  private mutating func with<Result>(
    isNamed: Bool = true, _ body: (inout HelperProcess) throws(HelperProcess.Failure) -> Result
  ) throws(NetconvError) -> Result {
    do throws(NetconvError) {
      return try helper.with(library: "libhdf5", isNamed: isNamed, body)
    } catch {
      forget()
      throw error
    }
  }

  /// Receives values that are no longer needed.
  ///
  /// - Throws: `interrupted`; other errors appear when the values are needed.
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
  /// - Returns: The index, if requested.
  mutating func open(
    _ number: Int, _ window: HDF5Window, wantsIndex: Bool
  ) throws(NetconvError) -> HDF5Index? {
    let reply = try ask(
      .open(
        file: number, base: window.base, size: window.size, path: window.file.path,
        wantsIndex: wantsIndex), with: window.file.descriptor)
    switch HDF5Answer(reply) {
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
    helper.send(HDF5Request.close(file: number).bytes)
  }

  // MARK: Values

  /// Reads values, and prefetches the following ones if the access is sequential.
  mutating func read(
    _ range: Range<Int>, of values: StoredValues, in file: Int, _ window: HDF5Window,
    into destination: Destination
  ) throws(NetconvError) {
    var place = range.lowerBound
    while place < range.upperBound {
      let extent = try extent(
        from: place, wanted: range.upperBound - place, of: values, in: file, window)
      let end = min(extent.range.upperBound, range.upperBound)
      guard let memory = helper.memory, place < end else {
        throw .answersNonsense(HDF5Service.purpose)
      }
      let source = UnsafeRawBufferPointer(memory.slot(extent.slot))
      let (first, count) = (
        (place - extent.range.lowerBound) * values.byteCount, (end - place) * values.byteCount
      )
      UnsafeMutableRawBufferPointer(
        rebasing: destination.buffer[((place - range.lowerBound) * values.byteCount)...]
      ).copyMemory(from: UnsafeRawBufferPointer(rebasing: source[first..<first + count]))
      place = end
    }
  }

  /// Returns the values in shared memory that include the one at index `place`.
  private mutating func extent(
    from place: Int, wanted: Int, of values: StoredValues, in file: Int, _ window: HDF5Window
  ) throws(NetconvError) -> Extent {
    if let present, present.holds(place, of: values.address, in: file) { return present }
    let isExpected = expected?.holds(place, of: values.address, in: file) ?? false
    // Access that continues after the previous values, or starts at the beginning, is assumed to be sequential.
    let isSequential =
      place == 0 || isExpected
      || (present.map { $0.holds(place - 1, of: values.address, in: file) } ?? false)
    if isExpected {
      do {
        try receiveExpected()
      } catch {
        guard helper.isRunning else { throw error }
        // The requested values may be intact although values after them are damaged.
        try receive(place, wanted, isSequential: false, of: values, in: file, window)
      }
    } else {
      try settle()
      try receive(place, wanted, isSequential: isSequential, of: values, in: file, window)
    }
    guard let extent = present else { throw .answersNonsense(HDF5Service.purpose) }
    if isSequential {
      try request(
        extent.range.upperBound, count: .max, of: values, in: file,
        slot: (extent.slot + 1) % ValueSlots.count)
    }
    return extent
  }

  /// Requests values into shared memory and waits for them; as many as fit for sequential access.
  private mutating func receive(
    _ place: Int, _ wanted: Int, isSequential: Bool, of values: StoredValues, in file: Int,
    _ window: HDF5Window
  ) throws(NetconvError) {
    try start()
    if !files.contains(file) { _ = try open(file, window, wantsIndex: false) }
    try request(place, count: isSequential ? .max : wanted, of: values, in: file, slot: 0)
    do {
      try receiveExpected()
    } catch {
      guard isSequential, helper.isRunning else { throw error }
      // The requested values may be intact although values after them are damaged.
      try receive(place, wanted, isSequential: false, of: values, in: file, window)
    }
  }

  /// Requests up to `count` values from index `place` on, as many as fit; none beyond the last.
  private mutating func request(
    _ place: Int, count: Int, of values: StoredValues, in file: Int, slot: Int
  ) throws(NetconvError) {
    let rest = try product(values.shape) - place
    let room = ValueSlots.slotSize / max(1, values.byteCount)
    guard rest > 0 else { return }
    let range = place..<place + min(count, rest, max(1, room))
    // The slot is overwritten even if the request fails.
    if present?.slot == slot { present = nil }
    helper.send(
      HDF5Request.read(file: file, values: values, range: range, slot: slot).bytes)
    expected = Extent(file: file, address: values.address, range: range, slot: slot)
  }

  /// Waits for the requested values, if any.
  private mutating func receiveExpected() throws(NetconvError) {
    guard let extent = expected else { return }
    expected = nil
    let answer = try with(isNamed: false) { process throws(HelperProcess.Failure) in
      let answer = HDF5Answer(try process.reply())
      switch answer {
      case .done, .failed: return answer
      default: throw .nonsense
      }
    }
    if case .failed(let error) = answer { throw error }
    present = extent
  }
}
