extension Agreement {
  /// The agreement of two models' predictions on some of the images, as counts that can be added.
  struct Part: Sendable, Codable {
    /// The number of compared predictions.
    private(set) var count: Int
    /// The first flips, in the order of the images.
    private(set) var flips: [Flip] = []
    /// The number of all flips.
    private(set) var flipCount = 0
    /// The number of flips in which at least one model predicts no class.
    private(set) var nonFinite = 0
    /// The smallest margin among predictions on which both models agree.
    private(set) var smallestMargin: Float?
    /// The requested minimum agreement.
    let minimum: Double?

    /// Counts the predictions that agree and those that differ.
    ///
    /// - Parameters:
    ///   - first: the index of the first image; `labels` begins with image 0.
    ///   - places: the number of predictions for each image.
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

    /// Adds the counts of the images that follow these.
    mutating func add(_ other: Part) {
      count += other.count
      flips += other.flips.prefix(Agreement.flipLimit - flips.count)
      flipCount += other.flipCount
      nonFinite += other.nonFinite
      if let margin = other.smallestMargin {
        smallestMargin = min(smallestMargin ?? margin, margin)
      }
    }

    /// True if the counts are consistent with `count` predictions.
    func isValid(for count: Int) -> Bool {
      self.count == count && (0...count).contains(flipCount) && (0...flipCount).contains(nonFinite)
        && flips.count == min(flipCount, Agreement.flipLimit)
    }
  }
}
