extension MPSCNNTemplates {
  /// Values of images of halves.
  static let halfPixels = #"""
    import MetalPerformanceShaders

    /// Moves values into images of halves and out of them: row after row, all channels of a pixel together.
    ///
    /// `readBytes` and `writeBytes` know the slices of four channels in which an image is stored. Of 10 channels they move
    /// 10, where `texture.getBytes` moves 12.
    enum NAMEPixels {
      static func write(_ values: [Float], to image: MPSImage) {
        values.map(bits).withUnsafeBytes { bytes in
          guard let base = bytes.baseAddress else { return }
          image.writeBytes(base, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
        }
      }

      static func read(_ image: MPSImage) -> [Float] {
        var halves = [UInt16](repeating: 0, count: image.height * image.width * image.featureChannels)
        halves.withUnsafeMutableBytes { bytes in
          guard let base = bytes.baseAddress else { return }
          image.readBytes(base, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
        }
        return halves.map(float)
      }

    \#(PackageTemplates.halves)
    }
    """#
}
