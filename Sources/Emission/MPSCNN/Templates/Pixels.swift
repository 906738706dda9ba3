extension MPSCNNTemplates {
  /// Values of images.
  func pixels(storesHalves: Bool) -> String {
    let stored = PackageTemplates.StoredValues(halves: storesHalves)
    return #"""
      import MetalPerformanceShaders

      /// Moves values into images of \#(stored.name) and out of them: row after row, all channels of a pixel together.
      ///
      /// `readBytes` and `writeBytes` know the slices of four channels in which an image is stored. Of 10 channels they move
      /// 10, where `texture.getBytes` moves 12.
      enum \#(name)Pixels {
        static func write(_ values: [Float], to image: MPSImage) {
          \#(stored.fromFloats).withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            image.writeBytes(base, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
          }
        }

        static func read(_ image: MPSImage) -> [Float] {
          var \#(stored.variable) = [\#(stored.type)](repeating: 0, count: image.height * image.width * image.featureChannels)
          \#(stored.variable).withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            image.readBytes(base, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
          }
          return \#(stored.toFloats)
        }\#(stored.functions)
      }
      """#
  }
}
