import Documents
import Files
import ModelIR
import Operators
import Synchronization
import TestSupport
import Writers

/// Values that change from one reading to the next.
struct FlickeringSource: TensorSource {
  let elementType = ElementType.float32
  let count: Int
  /// The changes from the second reading on, by index.
  let changes: [Int: Float]
  private let readings = Counter()

  init(count: Int, changes: [Int: Float]) {
    self.count = count
    self.changes = changes
  }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let isFirst = readings.next(for: range.lowerBound) == 1
    for (place, index) in range.enumerated() {
      values[place] = Float(index) + (isFirst ? 0 : changes[index] ?? 0)
    }
  }
}

/// Values that cannot be read from `failure` on.
struct FailingSource: TensorSource {
  let elementType = ElementType.float32
  let count: Int
  let failure: NetconvError

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) { throw failure }
}

/// Counts by key; not used by several threads at once.
final class Counter: Sendable {
  private let counts = Mutex<[Int: Int]>([:])

  func next(for key: Int = 0) -> Int {
    counts.withLock { counts in
      counts[key, default: 0] += 1
      return counts[key, default: 0]
    }
  }
}

/// The values 0, 1, 2, ….
func ramp(_ count: Int) -> [Float] { (0..<count).map { Float($0) } }

/// A convolution of 2x3 over 4 channels into 5, with a bias, arranged as OHWI.
func smallModel(
  kernel: any TensorSource = ArraySource(ramp(120)), name: String = "conv"
) throws -> Model {
  try Model(
    name: "small", inputs: [ModelInput(name: "x", shape: Shape([8, 9, 4]))],
    layers: [
      LayerDefinition(
        name: name, operation: Convolution2D(outputChannels: 5, kernelSize: Size2D(2, 3)),
        inputs: ["x"],
        parameters: [
          .kernel: StoredTensor(source: kernel, layout: nil, shape: nil, path: "/conv/kernel:0"),
          .bias: StoredTensor(
            source: ArraySource([-2, -1, 0, 1, 2]), layout: nil, shape: nil, path: "/conv/bias:0"),
        ])
    ], outputs: [name]
  ).mapTensors { tensor throws(NetconvError) in
    tensor.spec.kind == .convolution ? try tensor.rearranged(to: .ohwi) : tensor
  }
}

/// The kernel of ``smallModel(kernel:name:)`` as it is written: output channel, row, column, input channel.
let arrangedKernel: [Float] = (0..<5).flatMap { o in
  (0..<24).map { place in Float(place * 5 + o) }
}

/// Writes a model to `path` in float32, and returns the manifest.
@discardableResult
func write(
  _ model: Model, to path: String, formats: [OutputFormat] = [.bin, .archive],
  force: Bool = false, calls: FileSystemCalls = .system,
  progress: @escaping (OutputPlan.Entry) -> Void = { _ in },
  sourceFailure: NetconvError? = nil,
  checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void = {}
) throws -> Manifest {
  let destination = try Destination(path, force: force)
  let plan = try OutputPlan(
    .model(model), formats: destination.container.map { [$0] } ?? formats,
    elementType: { _ in .float32 })
  let description = ModelWriter.Description(
    producer: .init(name: "netconv", version: "test"),
    source: { () throws(NetconvError) in
      if let sourceFailure { throw sourceFailure }
      return .init(format: "test", file: "a.h5", bytes: 1, sha256: "00", framework: nil)
    },
    target: "mps", elementType: .float32, isSupported: { _ in true })
  return try ModelWriter(plan, to: destination, calls: calls).write(
    description, progress: progress, checkCancellation: checkCancellation
  ).manifest
}

extension OutputPlan.Entry {
  /// Writes the tensor to the first file, verifies it there, and copies it to the others.
  func write(
    to placements: [Placement], panelCount: Int = 1 << 16, workers: Int = 1,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void = {}
  ) throws(NetconvError) -> TensorPipeline.Written {
    let pipeline = TensorPipeline(
      self, WorkerBuffers(panelCount: panelCount), checkCancellation: checkCancellation)
    let written = Mutex<TensorPipeline.Written?>(nil)
    try WorkerPool(count: workers).perform([
      pipeline.job(placements, needsChecksum: true) { result in
        written.withLock { $0 = result }
      }
    ])
    guard let written = written.withLock({ $0 }) else { throw NetconvError(.internal, "no result") }
    return written
  }
}
