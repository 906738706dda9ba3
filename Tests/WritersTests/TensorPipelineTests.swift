import Documents
import Files
import Foundation
import ModelIR
import Operators
import TestSupport
import Testing
import Writers

@Suite struct TensorPipelineTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func kernel(
    _ source: any TensorSource, as type: ElementType
  ) throws -> OutputPlan.Entry {
    let plan = try OutputPlan(
      .model(try smallModel(kernel: source)), formats: [.bin], elementType: { _ in type })
    return try #require(plan.entries.first)
  }

  private func place(_ name: String, offset: Int = 0) throws -> Placement {
    Placement(file: try OutputFile(creating: folder.file(name)), offset: offset)
  }

  @Test func `panels of any size write the same`() throws {
    let entry = try kernel(ArraySource(ramp(120)), as: .float32)
    let whole = try entry.write(to: [place("whole")])
    #expect(try folder.bytes("whole") == littleEndian(arrangedKernel))
    // SHA-256 and CRC-32 of the same bytes, made by Python's hashlib and zlib.
    #expect(
      whole.digest.sha256 == "e4a13e13b56ce3e887fe03abab8aaf32113717583edb795fb99c8b991f2e0491")
    #expect(whole.digest.checksum == 1_787_087_186)
    let statistics = whole.statistics
    #expect(statistics.mean == 59.5 && statistics.min == 0 && statistics.max == 119)
    for count in 1...121 {
      let same = try entry.write(to: [place("\(count)")], panelCount: count)
      #expect(try folder.bytes("\(count)") == folder.bytes("whole"), "\(count)")
      #expect(same == whole)
    }
  }

  /// More values than one piece has, and no multiple of the block size.
  @Test(arguments: [1, 3], [999, 30_001, 1 << 20])
  func `a tensor of several pieces is written in order`(workers: Int, panelCount: Int) throws {
    let (rows, inputs, outputs) = (9, 67, 129)
    let count = rows * inputs * outputs
    let model = try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape([8, 9, inputs]))],
      layers: [
        LayerDefinition(
          name: "y", operation: Convolution2D(outputChannels: outputs, kernelSize: Size2D(3, 3)),
          inputs: ["x"],
          parameters: [
            .kernel: StoredTensor(
              source: ArraySource(ramp(count)), layout: nil, shape: nil, path: "k"),
            .bias: StoredTensor(
              source: ArraySource(ramp(outputs)), layout: nil, shape: nil, path: "b"),
          ])
      ], outputs: ["y"]
    ).mapTensors { tensor throws(NetconvError) in
      tensor.spec.kind == .convolution ? try tensor.rearranged(to: .ohwi) : tensor
    }
    let places = (0..<outputs).flatMap { o in (0..<rows * inputs).map { $0 * outputs + o } }
    for type in [ElementType.float32, .float16] {
      let plan = try OutputPlan(.model(model), formats: [.bin], elementType: { _ in type })
      let entry = try #require(plan.entries.first)
      let statistics = try entry.write(
        to: [place("\(type)")], panelCount: panelCount, workers: workers
      ).statistics
      let written = try folder.bytes("\(type)")
      if type == .float32 {
        #expect(written == littleEndian(places.map { Float($0) }))
      } else {
        let halves = places.map { Half.bits(from: Float($0)) }
        #expect(written == halves.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
        // 65,520 is the first that becomes infinite.
        #expect(statistics.nonFinite == count - 65_520 && statistics.firstNonFinite == 65_520)
      }
    }
  }

  @Test(arguments: [2, 3, 8], [1, 7, 24, 120])
  func `several workers write the same`(workers: Int, panelCount: Int) throws {
    for type in [ElementType.float32, .float16] {
      let entry = try kernel(ArraySource(ramp(120).map { $0 * 1000.3 }), as: type)
      let alone = try entry.write(to: [place("alone \(type)")])
      let shared = try entry.write(
        to: [place("shared \(type)")], panelCount: panelCount, workers: workers)
      #expect(shared == alone)
      #expect(try folder.bytes("shared \(type)") == folder.bytes("alone \(type)"))
    }
  }

  @Test func `of several workers that fail, the first panel's error is told`() throws {
    let changes = Dictionary(uniqueKeysWithValues: (0..<120).map { ($0, Float(0.5)) })
    for round in 0..<20 {
      let source = FlickeringSource(count: 120, changes: changes)
      let entry = try kernel(source, as: .float32)
      let error = thrown {
        try entry.write(to: [place("\(round)")], panelCount: 4, workers: 3)
      }
      #expect(error?.message.hasPrefix("value 0 was written as 0.0") == true)
    }
  }

  @Test func `several workers can be stopped`() throws {
    let entry = try kernel(ArraySource(ramp(120)), as: .float32)
    for limit in 1...12 {
      let checks = Counter()
      let error = thrown {
        try entry.write(to: [place("\(limit)")], panelCount: 10, workers: 3) {
          () throws(NetconvError) in
          if checks.next() == limit { throw NetconvError(.interrupted, "stop") }
        }
      }
      #expect(error?.kind == .interrupted)
    }
  }

  @Test func `float16 is rounded, and statistics are those of what is written`() throws {
    let entry = try kernel(ArraySource(ramp(120)), as: .float16)
    for count in [1, 7, 120] {
      let written = try entry.write(to: [place("\(count)")], panelCount: count)
      #expect(
        written.digest.sha256 == "9293a4a032dfcc55a8e888178f4615c6a4bef55839783718a90b0d75c2d57803")
      #expect(written.digest.checksum == 1_110_745_424)
      #expect(written.statistics.max == 119)
    }
    let values = ramp(120).map { $0 * 1000.3 }
    let large = try kernel(ArraySource(values), as: .float16)
    let statistics = try large.write(to: [place("large")]).statistics
    // 66,019.8 is the first that is too large; 65,019.5 lies between 64,992 and 65,024.
    #expect(statistics.max == 65_024)
    #expect(statistics.nonFinite == 54 && statistics.firstNonFinite == 66)
    #expect(statistics.overflowed == 54 && statistics.firstOverflowed == 66)
    let written = try folder.bytes("large")
    // Past 65,519 the value becomes infinite.
    #expect(Array(written[238...]) == [0x00, 0x7c])
  }

  @Test func `values that are no numbers keep their bits`() throws {
    var values = ramp(120)
    values[7] = Float(bitPattern: 0x7fc1_2345)
    values[8] = -.infinity
    values[9] = -0.0
    for type in [ElementType.float32, .float16] {
      let entry = try kernel(ArraySource(values), as: type)
      let statistics = try entry.write(to: [place("\(type)")], panelCount: 10).statistics
      #expect(statistics.nonFinite == 2 && statistics.firstNonFinite == 7)
      #expect(statistics.overflowed == nil && statistics.firstOverflowed == nil)
    }
    let written = try folder.bytes("float32")
    // Value 7 is the second place of output channel 2.
    #expect(Array(written[(4 * 49)..<4 * 50]) == [0x45, 0x23, 0xc1, 0x7f])
  }

  @Test func `every place gets the same bytes, at its own offset`() throws {
    let entry = try kernel(ArraySource(ramp(120)), as: .float32)
    let places = try [place("a"), place("b", offset: 1000), place("c", offset: 3)]
    _ = try entry.write(to: places, panelCount: 11)
    let expected = littleEndian(arrangedKernel)
    #expect(try folder.bytes("a") == expected)
    #expect(try folder.bytes("b") == Array(repeating: 0, count: 1000) + expected)
    #expect(try folder.bytes("c") == [0, 0, 0] + expected)
  }

  @Test(arguments: [1, 10, 50, 120])
  func `a source that changes is found, whatever the panels`(panelCount: Int) throws {
    for index in [0, 1, 49, 50, 119] {
      let source = FlickeringSource(count: 120, changes: [index: 0.5])
      let entry = try kernel(source, as: .float32)
      let error = thrown { try entry.write(to: [place("\(index)")], panelCount: panelCount) }
      #expect(error?.kind == .internal)
      #expect(
        error?.description
          == "layer 'conv', tensor 'kernel': value \(index) was written as \(index).0, but the "
          + "source has \(index).5; nothing was published, please report this")
    }
  }

  @Test func `a change that float16 cannot hold is none`() throws {
    let source = FlickeringSource(count: 120, changes: [100: 0x1p-10])
    _ = try kernel(source, as: .float16).write(to: [place("half")])
  }

  @Test func `zero and minus zero are not the same`() throws {
    let entry = try kernel(ArraySource(Array(repeating: 0, count: 120)), as: .float32)
    let error = try corrupting("zero", byte: 4 * 24 + 3, to: 0x80, entry)
    // The first place of output channel 1 is value 1.
    #expect(
      error?.message.hasPrefix("value 1 was written as -0.0, but the source has 0.0") == true)
  }

  /// The error of a pipeline whose file is damaged between writing and proving.
  private func corrupting(
    _ name: String, byte: Int, to value: UInt8, _ entry: OutputPlan.Entry
  ) throws -> NetconvError? {
    let checks = Counter()
    let path = folder.file(name)
    return thrown {
      try entry.write(to: [place(name)]) { () throws(NetconvError) in
        guard checks.next() == 2 else { return }
        let handle = FileHandle(forUpdatingAtPath: path)
        handle?.seek(toFileOffset: UInt64(byte))
        handle?.write(Data([value]))
      }
    }
  }

  @Test func `a damaged byte anywhere is found`() throws {
    let entry = try kernel(ArraySource(ramp(120)), as: .float32)
    for byte in 0..<480 {
      let error = try corrupting("\(byte)", byte: byte, to: 0xa5, entry)
      #expect(error?.kind == .internal, "byte \(byte)")
      // Which value stands at that place of OHWI.
      #expect(
        error?.message.hasPrefix("value \(Int(arrangedKernel[byte / 4])) was written as ") == true)
    }
  }

  @Test func `a source that cannot be read names layer and tensor`() throws {
    let source = FailingSource(count: 120, failure: NetconvError(.inputOutput, "is gone"))
    let entry = try kernel(source, as: .float32)
    #expect(
      thrown { try entry.write(to: [place("x")]) }?.description
        == "layer 'conv', tensor 'kernel': is gone")
  }

  @Test func `work can be stopped at every panel`() throws {
    let entry = try kernel(ArraySource(ramp(120)), as: .float32)
    let stop = NetconvError(.interrupted, "stop")
    var completed = 0
    for limit in 1...8 {
      let checks = Counter()
      let error = thrown {
        try entry.write(to: [place("\(limit)")], panelCount: 40) { () throws(NetconvError) in
          if checks.next() == limit { throw stop }
        }
      }
      #expect(error == nil || error?.kind == .interrupted)
      completed += error == nil ? 1 : 0
    }
    // Three panels written, three proved, one piece hashed.
    #expect(completed == 1)
  }
}
