import Foundation
import Metal
import NAME
import NAMEGoldens

// Replays stored inputs, and compares each layer's output with the expected one.
//
//     swift run -c release NAMESelfTest [ARCHIVE [GOLDENS]]
//
// ARCHIVE holds the weights; without it, those of the package. GOLDENS is the folder that `goldens` is in.
#if accuracy
// Or it counts how many images of two IDX files are seen right, and how fast:
//
//     swift run -c release NAMESelfTest [ARCHIVE] --images t10k-images.idx --labels t10k-labels.idx
//
#endif
// Exit code 0 if all layers are within their tolerances, 1 if one is not, 2 if nothing could be compared.

do {
  #if accuracy
  if let accuracy = try NAMEAccuracy(arguments: CommandLine.arguments) {
    try accuracy.measure()
    exit(0)
  }
  #endif
  guard let device = MTLCreateSystemDefaultDevice() else {
    throw NAMEGoldensError("no Metal device")
  }
  let paths = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
  let archive = try paths.first.map(NAMEArchive.init) ?? NAMEArchive.bundled()
  let goldens = try paths.dropFirst().first.map(NAMEGoldens.init) ?? NAMEGoldens.bundled()
  let comparison = try NAMEComparison(archive, goldens, on: device)
  print(comparison)
  exit(comparison.isRight ? 0 : 1)
} catch {
  fputs("NAMESelfTest: \(error)\n", stderr)
  exit(2)
}
