import Digests
import Documents
import Foundation
import ModelIR
import NetconvKit
import Operators
import TestSupport
import Testing

/// Typical mistakes of a port, each of which the goldens have to detect.
@Suite("Goldens show mistakes in kernels")
struct PlantedGoldensTests {
  /// Converts a model as for an emitted package: folded, with kernels in half precision.
  private func convert(_ model: Model, to path: String, hasGoldens: Bool = true) throws {
    var request = ConvertRequest(source: "planted", destination: path)
    request.target = "mps"
    request.formats = [.bin]
    request.elementType = .float16
    request.foldsBatchNormalization = true
    if hasGoldens { request.goldens = GoldensRequest(samples: 2) }
    _ = try Netconv.convert(model, request)
  }

  /// Copies the goldens of one conversion to the weights of another, as if they were its own.
  private func give(_ goldens: String, to other: String, in folder: TemporaryFolder) throws {
    let manifestPath = "\(other)/manifest.json"
    var manifest = try Manifest.decode(try folder.bytes(manifestPath))
    manifest.goldens = try Manifest.decode(try folder.bytes("\(goldens)/manifest.json")).goldens
    let name = GoldensDocument.fileName
    var document = try JSONDocument.decode(
      GoldensDocument.self, from: try folder.bytes("\(goldens)/\(name)"))
    document.weights = Manifest.weightsHash(of: manifest.tensors.map(\.sha256))
    let bytes = try JSONDocument.encode(document)
    try folder.write(bytes, to: "\(other)/\(name)")
    for values in [GoldensDocument.inputsName, GoldensDocument.outputsName] {
      try folder.write(try folder.bytes("\(goldens)/\(values)"), to: "\(other)/\(values)")
    }
    manifest.goldens?.sha256 = hexadecimal(SHA256.hash(of: bytes))
    try folder.write(try manifest.encoded(), to: manifestPath)
  }

  @Test(
    "exchanged channels, flipped rows and swapped kernels are beyond tolerance",
    arguments: Sampling.part(of: PlantedNetwork.all, every: 4, from: 1, allIn: .slow))
  func mistakes(network: PlantedNetwork) throws {
    let folder = try TemporaryFolder()
    try convert(try network.model(), to: folder.file("right"))
    for precision in Precision.allCases {
      let report = try Netconv.verifyGoldens(folder.file("right"), precision: precision)
      #expect(report.passed, "\(precision): \(report.firstBeyond ?? "")")
    }
    for mistake in PlantedNetwork.Mistake.allCases {
      for place in [0, network.convolutions - 1] {
        // A kernel of one row has none to flip.
        guard mistake != .flippedRows || network.body != .mobile || place == 0 else { continue }
        let name = "\(mistake)\(place)"
        try convert(
          try network.model(mistake, in: place), to: folder.file(name), hasGoldens: false)
        try give("right", to: name, in: folder)
        for precision in Precision.allCases {
          let report = try Netconv.verifyGoldens(folder.file(name), precision: precision)
          #expect(!report.passed, "\(precision): \(name)")
        }
      }
    }
  }

  // MARK: - What is fed

  /// The least and the largest golden input of a network.
  private func range(_ front: PlantedNetwork.Front) throws -> ClosedRange<Float> {
    let folder = try TemporaryFolder()
    try convert(
      try PlantedNetwork(front: front, body: .residual).model(), to: folder.file("out"))
    let values = try inputs(of: folder)
    return (values.min() ?? 0)...(values.max() ?? 0)
  }

  private func inputs(of folder: TemporaryFolder) throws -> [Float] {
    try folder.bytes("out/goldens/inputs.bin").withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map {
        let bits = bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)
        return Float(bitPattern: UInt32(littleEndian: bits))
      }
    }
  }

  @Test("inputs span what the first layers expect")
  func ranges() throws {
    // 720 numbers come near the ends.
    for front in [PlantedNetwork.Front.signed, .unit] {
      let range = try range(front)
      #expect(range.lowerBound <= 3 && range.upperBound >= 252, "\(front)")
    }
    // 123 - 2 · √3400 = 6.4, 123 + 2 · √3400 = 239.6.
    let statistics = try range(.statistics)
    #expect((-11...10).contains(statistics.lowerBound))
    #expect((230...240).contains(statistics.upperBound))
    // 255 · (0.485 - 2 · √0.052) = 7.4, 255 · (0.406 - 2 · √0.051) = -11.6, which is no byte.
    let both = try range(.both)
    #expect(both.lowerBound >= 0 && both.upperBound <= 255 && both.upperBound > 225)
    #expect(both.lowerBound < 8)
    let less = try range(.bytesLessMean)
    #expect(less.lowerBound < -120 && less.upperBound > 120)
    let plain = try range(.nothing)
    #expect(plain.lowerBound >= -2 && plain.upperBound <= 2)
  }

  @Test("bytes are whole, and go through what the model records")
  func recorded() throws {
    let folder = try TemporaryFolder()
    let model = try Model(
      name: "m",
      inputs: [
        ModelInput(
          name: "x", shape: Shape([9, 8, 3]),
          preprocessing: [.channels(.bgr), .mean([103, 116, 123])])
      ],
      layers: [LayerDefinition(name: "y", operation: Identity(), inputs: ["x"])], outputs: ["y"])
    var request = ConvertRequest(source: "m", destination: folder.file("out"))
    request.goldens = GoldensRequest(samples: 4)
    _ = try Netconv.convert(model, request)
    let values = try inputs(of: folder)
    #expect(values.allSatisfy { $0 == $0.rounded() })
    #expect(values.indices.allSatisfy { (0...255).contains(values[$0] + [103, 116, 123][$0 % 3]) })
    #expect(values.min() ?? 0 < -115 && values.max() ?? 0 > 145)
  }
}
