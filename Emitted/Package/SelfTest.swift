import Foundation
import Metal
import NAME

// Replays the inputs that are stored with the weights, and compares what each layer gives with what it should give.
//
//     swift run -c release NAMESelfTest [Resources/NAME.netpack]
//
#if accuracy
// or counts how many images of two IDX files are seen right, and how fast:
//
//     swift run -c release NAMESelfTest --images t10k-images.idx --labels t10k-labels.idx
//
#endif
// Exit code 0 if all layers are within their tolerances, 1 if one is not, 2 if nothing could be compared.

func compare(_ path: String) throws -> Bool {
  guard let device = MTLCreateSystemDefaultDevice() else {
    throw NAMESelfTestError("no Metal device")
  }
  let archive = try NAMEArchive(contentsOf: URL(fileURLWithPath: path))
  let network = try NAME(device: device, archive: archive)
  let goldens = try NAMEGoldens(archive)
  var worst: [String: Double] = [:]
  for sample in 0..<goldens.samples {
    let activations = NAMEActivations()
    #if severalInputs
    _ = try network.predict(goldens.inputs(of: sample), activations: activations)
    #else
    _ = try network.predict(goldens.input(sample), activations: activations)
    #endif
    for layer in activations.layers {
      guard let values = activations.values(of: layer) else { continue }
      worst[layer] = max(worst[layer] ?? 0, try goldens.difference(values, of: layer, sample))
    }
  }

  print("NAME: \(goldens.samples) samples on \(device.name)")
  var firstWrong: String?
  for layer in goldens.layers {
    // A layer without an image of its own is a part of the one behind it.
    guard let difference = worst[layer.name] else { continue }
    guard let tolerance = layer.tolerance else {
      print("  \(layer.name): not compared, its values are beyond the precision")
      continue
    }
    let isRight = difference <= tolerance
    print(
      "  \(layer.name): off by \(Float(difference)), tolerance \(Float(tolerance))"
        + (isRight ? "" : " - WRONG"))
    if !isRight, firstWrong == nil { firstWrong = layer.name }
  }
  if let firstWrong { print("The first layer that differs is \(firstWrong).") }
  if worst.isEmpty { throw NAMESelfTestError("no layer was compared") }
  return firstWrong == nil
}

do {
  #if accuracy
  if let accuracy = try NAMEAccuracy(arguments: CommandLine.arguments) {
    try accuracy.measure()
    exit(0)
  }
  #endif
  let path = CommandLine.arguments.dropFirst().first ?? "Resources/NAME.netpack"
  let isRight = try compare(path)
  print(isRight ? "All layers are right." : "The network is not what it should be.")
  exit(isRight ? 0 : 1)
} catch {
  fputs("NAMESelfTest: \(error)\n", stderr)
  exit(2)
}
