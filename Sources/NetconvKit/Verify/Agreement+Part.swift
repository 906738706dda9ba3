extension Agreement {
  /// How the predictions of two models agree for some of the images, in numbers that can be added.
  struct Part: Sendable, Codable {
    /// Predictions that were compared.
    private(set) var count: Int
    /// The first flips, in their order.
    private(set) var flips: [Flip] = []
    /// All flips.
    private(set) var flipCount = 0
    /// Those with a model that gives no class.
    private(set) var nonFinite = 0
    /// The smallest margin of a prediction that both have.
    private(set) var smallestMargin: Float?
    /// What was asked for.
    let minimum: Double?

    /// How predictions agree.
    ///
    /// - Parameters:
    ///   - first: the number of the first image, whose labels are those at its places.
    ///   - places: how many classes an image has.
    init(
      _ found: [Classifier.Prediction], with expected: [Classifier.Prediction], labels: [Int],
      from first: Int, places: Int, minimum: Double?
    ) {
      count = found.count
      self.minimum = minimum
      for (number, (one, other)) in zip(found, expected).enumerated() {
        let index = first * places + number
        if one.label == nil || other.label == nil {
          nonFinite += 1
        } else if one.label == other.label {
          if let margin = other.margin { smallestMargin = min(smallestMargin ?? margin, margin) }
          continue
        }
        flipCount += 1
        guard flips.count < Agreement.flipLimit else { continue }
        flips.append(
          Flip(
            index: index / places, place: places == 1 ? nil : index % places, label: labels[index],
            expected: other.label, found: one.label,
            expectedMargin: other.margin.map { Double($0) },
            foundMargin: one.margin.map { Double($0) }))
      }
    }

    /// Takes in what is known of the images behind these.
    mutating func add(_ other: Part) {
      count += other.count
      flips += other.flips.prefix(Agreement.flipLimit - flips.count)
      flipCount += other.flipCount
      nonFinite += other.nonFinite
      if let margin = other.smallestMargin {
        smallestMargin = min(smallestMargin ?? margin, margin)
      }
    }

    /// Whether the numbers are such as `count` predictions give.
    func isValid(for count: Int) -> Bool {
      self.count == count && (0...count).contains(flipCount) && (0...flipCount).contains(nonFinite)
        && flips.count == min(flipCount, Agreement.flipLimit)
    }
  }
}
