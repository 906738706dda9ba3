import Emission
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// Fixtures that can be written in C, and what their code consists of.
struct CFixture: Sendable {
  /// The path within `Tests/Fixtures`.
  let path: String
  /// The size of axes that the model leaves open; `nil` if it leaves none.
  let length: Int?
  /// The functions that the code defines, and the kinds of steps.
  let features: Set<String>

  /// All of them.
  static let all: [CFixture] = EmittedFixture.models.compactMap { path, model in
    let isOpen = model.inputs.contains { $0.shape.known == nil }
    let length = isOpen ? 7 : nil
    // What cannot be written has tests of its own.
    guard let features = try? EmittedLibrary.features(of: model, length: length) else { return nil }
    return CFixture(path: path, length: length, features: features)
  }

  /// A small subset with all features, by a greedy choice.
  static var cover: [CFixture] {
    var missing = all.reduce(into: Set<String>()) { $0.formUnion($1.features) }
    var chosen: [CFixture] = []
    while !missing.isEmpty {
      let best = all.max {
        missing.intersection($0.features).count < missing.intersection($1.features).count
      }
      guard let best else { break }
      chosen.append(best)
      missing.subtract(best.features)
    }
    return chosen
  }
}
