extension PackageTemplates {
  /// The program that replays the goldens.
  ///
  /// - Parameter severalInputs: whether `predict` takes an array of inputs.
  func selfTest(severalInputs: Bool) -> String {
    #"""
    import Foundation
    import Metal
    import \#(name)

    // Replays the inputs that are stored with the weights, and compares what each layer gives with what it should give.
    //
    //     swift run -c release \#(name)SelfTest [Resources/\#(name).netpack]
    //
    // Exit code 0 if all layers are within their tolerances, 1 if one is not, 2 if nothing could be compared.

    func compare(_ path: String) throws -> Bool {
      guard let device = MTLCreateSystemDefaultDevice() else { throw \#(name)SelfTestError("no Metal device") }
      let archive = try \#(name)Archive(contentsOf: URL(fileURLWithPath: path))
      let network = try \#(name)(device: device, archive: archive)
      let goldens = try \#(name)Goldens(archive)
      var worst: [String: Double] = [:]
      for sample in 0..<goldens.samples {
        let activations = \#(name)Activations()
        _ = try network.predict(goldens.\#(severalInputs ? "inputs(of: sample)" : "input(sample)"), activations: activations)
        for layer in activations.layers {
          guard let values = activations.values(of: layer) else { continue }
          worst[layer] = max(worst[layer] ?? 0, try goldens.difference(values, of: layer, sample))
        }
      }

      print("\#(name): \(goldens.samples) samples on \(device.name)")
      var firstWrong: String?
      for layer in goldens.layers {
        // A layer without an image of its own is a part of the one behind it.
        guard let difference = worst[layer.name] else { continue }
        guard let tolerance = layer.tolerance else {
          print("  \(layer.name): not compared, its values are beyond the precision")
          continue
        }
        let isRight = difference <= tolerance
        print("  \(layer.name): off by \(Float(difference)), tolerance \(Float(tolerance))"
          + (isRight ? "" : " - WRONG"))
        if !isRight, firstWrong == nil { firstWrong = layer.name }
      }
      if let firstWrong { print("The first layer that differs is \(firstWrong).") }
      if worst.isEmpty { throw \#(name)SelfTestError("no layer was compared") }
      return firstWrong == nil
    }

    do {
      let path = CommandLine.arguments.dropFirst().first ?? "Resources/\#(name).netpack"
      let isRight = try compare(path)
      print(isRight ? "All layers are right." : "The network is not what it should be.")
      exit(isRight ? 0 : 1)
    } catch {
      fputs("\#(name)SelfTest: \(error)\n", stderr)
      exit(2)
    }
    """#
  }
}
