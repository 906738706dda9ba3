extension PackageTemplates {
  /// The stored inputs and what layers make of them.
  static let goldens = #"""
    import Foundation
    import NAME

    struct NAMESelfTestError: Error, CustomStringConvertible {
      let description: String

      init(_ description: String) { self.description = description }
    }

    /// Inputs, what each layer makes of them, and how far from it a layer may be.
    struct NAMEGoldens {
      /// A layer, as `goldens.json` describes it.
      struct Layer: Decodable {
        struct Tolerance: Decodable {
          var float32: Double
          var float16: Double?
        }

        struct Statistics: Decodable {
          var min: Double?
          var max: Double?
          var mean: Double?
          var norm: Double?
        }

        var name: String
        var shape: [Int]
        var offset: Int
        /// Which of a sample's values are stored; all of them if nil.
        var positions: [Int]?
        var statistics: [Statistics]?
        var tolerance: Tolerance
      }

      private struct Document: Decodable {
        struct File: Decodable {
          var file: String
          var sha256: String
        }

        struct Input: Decodable {
          var shape: [Int]
          var offset: Int
        }

        var samples: Int
        var inputs: [Input]
        var layers: [Layer]
        var inputValues: File
        var outputValues: File
      }

      private let document: Document
      private let inputs: [Float]
      private let outputs: [Float]

      var samples: Int { document.samples }
      var layers: [Layer] { document.layers }

      init(_ archive: NAMEArchive) throws {
        guard let place = archive.goldens else { throw NAMESelfTestError("the archive has no goldens") }
        document = try JSONDecoder().decode(
          Document.self, from: archive.entry(place.name, sha256: place.sha256))
        inputs = try Self.floats(document.inputValues, archive)
        outputs = try Self.floats(document.outputValues, archive)
      }

      private static func floats(_ file: Document.File, _ archive: NAMEArchive) throws -> [Float] {
        let bytes = try archive.entry(file.file, sha256: file.sha256)
        return bytes.withUnsafeBytes { bytes in
          (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
      }

      func input(_ sample: Int) -> [Float] {
        let input = document.inputs[0]
        let count = input.shape.reduce(1, *)
        return Array(inputs[input.offset / 4 + sample * count..<input.offset / 4 + (sample + 1) * count])
      }

      func tolerance(of layer: Layer) -> Double? {
        NAME.format == .float16 ? layer.tolerance.float16 : layer.tolerance.float32
      }

      /// The largest distance of a value from what is stored of it, or of a figure of all values from the stored figure.
      ///
      /// No value can be off by more than the tolerance if it is right, neither can the minimum, the maximum or the mean,
      /// and the norm by no more than the tolerance times the root of the number of values.
      func difference(_ values: [Float], of name: String, _ sample: Int) throws -> Double {
        guard let layer = layers.first(where: { $0.name == name }),
          values.count == layer.shape.reduce(1, *)
        else { throw NAMESelfTestError("\(name) has not the values that are stored") }
        let positions = layer.positions ?? Array(values.indices)
        let first = layer.offset / 4 + sample * positions.count
        var largest = 0.0
        for (index, position) in positions.enumerated() {
          largest = Self.larger(largest, Double(values[position]), Double(outputs[first + index]), 1)
        }
        if let stored = layer.statistics?[sample] {
          let exact = values.map(Double.init)
          let norm = exact.reduce(0) { $0 + $1 * $1 }.squareRoot()
          largest = Self.larger(largest, exact.min(), stored.min, 1)
          largest = Self.larger(largest, exact.max(), stored.max, 1)
          largest = Self.larger(largest, exact.reduce(0, +) / Double(exact.count), stored.mean, 1)
          largest = Self.larger(largest, norm, stored.norm, Double(exact.count).squareRoot())
        }
        return largest
      }

      /// What is not a number on one side only is infinitely far off.
      private static func larger(
        _ largest: Double, _ found: Double?, _ expected: Double?, _ scale: Double
      ) -> Double {
        guard let found, let expected else { return largest }
        if found == expected || (found.isNaN && expected.isNaN) { return largest }
        let difference = abs(found - expected) / scale
        return difference.isNaN ? .infinity : max(largest, difference)
      }
    }
    """#
}
