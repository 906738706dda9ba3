import Foundation
import ImageFilters
import ModelIR

/// Saturation and blur of a picture, each with a slider, as a command: `filter-sliders move` or `filter-sliders time`.
@main
enum FilterSliders {
  static func main() {
    do {
      try run()
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(64)
    }
  }

  private static func run() throws {
    var words = CommandLine.arguments.dropFirst()
    let isJSON = words.contains("--json")
    words.removeAll { $0 == "--json" }
    switch words.popFirst() ?? "move" {
    case "move" where words.isEmpty: try move(isJSON: isJSON)
    case "time": try time(Array(words))
    default: throw NetconvError(.usage, help)
    }
  }

  private static let help = """
    filter-sliders [move] [--json]
      moves two sliders 1,000 times over a picture of 512 x 512, and prints passes and times
    filter-sliders time FILTER HEIGHT WIDTH [--threads N] [--repeat N]
      prints the median of milliseconds for a filter, as JSON
    """

  /// A picture of colours and edges, the same in each run.
  private static func picture(height: Int, width: Int, channels: Int) -> Picture {
    var state: UInt32 = 20
    let values = (0..<height * width * channels).map { index in
      state = state &* 1_664_525 &+ 1_013_904_223
      // Alpha, which pictures of three channels do not have.
      return index % channels == 3 ? 255 : Float(state >> 24)
    }
    return Picture(
      height: height, width: width, channels: channels, hasAlpha: channels == 4, values: values)
  }

  private static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(work) / .milliseconds(1)
  }

  // MARK: Sliders

  private static func move(isJSON: Bool) throws {
    let moves = 1000
    let source = PictureSource(picture(height: 512, width: 512, channels: 4))
    let saturation = SaturationFilter(factor: 0.75, provider: source)
    let blur = GaussianBlurFilter(radius: 7, provider: saturation)
    _ = try blur.picture
    var times: [Double] = []
    for move in 0..<moves {
      // One slider, then the other, to and fro; each has 100 places.
      let place = Double(abs(move / 2 % 200 - 100)) / 100
      if move % 2 == 0 { saturation.factor = place } else { blur.radius = 7 * place }
      times.append(try milliseconds { _ = try blur.picture })
    }
    times.sort()
    let passes = [saturation.evaluations, blur.evaluations]
    let (median, slow) = (times[moves / 2], times[moves * 99 / 100])
    guard !isJSON else {
      print(
        "{\"moves\": \(moves), \"passes\": \(passes), \"medianMilliseconds\": \(median), "
          + "\"percentile99Milliseconds\": \(slow)}")
      return
    }
    print("\(moves) moves: \(passes[0]) passes of saturation, \(passes[1]) of blur")
    print(
      "milliseconds from a move to its picture: median \(rounded(median)), 99 % \(rounded(slow))")
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  // MARK: One filter

  private static func time(_ words: [String]) throws {
    var positional: [String] = []
    var options = ["--threads": 2, "--repeat": 5]
    var rest = words[...]
    while let word = rest.popFirst() {
      if options[word] != nil, let number = rest.popFirst().flatMap({ Int($0) }), number > 0 {
        options[word] = number
      } else {
        positional.append(word)
      }
    }
    guard positional.count == 3, let height = Int(positional[1]), let width = Int(positional[2]),
      height > 0, width > 0
    else { throw NetconvError(.usage, help) }
    let step = try PixelStep(text: positional[0])
    let picture = picture(height: height, width: width, channels: 3)
    let times = try (0...(options["--repeat"] ?? 5)).map { _ in
      try milliseconds { _ = try picture.applying([step], threads: options["--threads"]) }
    }.dropFirst().sorted()
    print("{\"medianMilliseconds\": \(times[times.count / 2])}")
  }
}
