/// A source of quantised values: each is one of a few numbers that codes stand for.
package protocol GriddedSource: TensorSource {
  /// Returns for each value the number of the next code above it, or below it; infinite or NaN where there is none.
  ///
  /// Which of both is above is that of the codes: a negative scale exchanges them. `nil` if the numbers are unknown.
  func neighbours(_ side: GridSide) -> (any TensorSource)?
}

/// A direction among the numbers that codes stand for.
package enum GridSide: Sendable, CaseIterable {
  case below
  case above

  /// The infinity in this direction.
  package var infinity: Float { self == .above ? .infinity : -.infinity }

  /// Returns for each code the nearest number in this direction among those of all codes; infinite at the end.
  package func neighbours(of numbers: [Float]) -> [Float] {
    let sorted = Set(numbers.filter { !$0.isNaN }).sorted()
    return numbers.map { number in
      (self == .above ? sorted.first { $0 > number } : sorted.last { $0 < number }) ?? infinity
    }
  }
}

extension CodedValues: GriddedSource {
  package func neighbours(_ side: GridSide) -> (any TensorSource)? {
    CodedValues(codes, side.neighbours(of: table))
  }
}

extension SliceSource: GriddedSource {
  package func neighbours(_ side: GridSide) -> (any TensorSource)? {
    (source as? any GriddedSource)?.neighbours(side).map { SliceSource($0, range) }
  }
}

extension StridedTensorSource: GriddedSource {
  package func neighbours(_ side: GridSide) -> (any TensorSource)? {
    (source as? any GriddedSource)?.neighbours(side).map {
      StridedTensorSource($0, offset: offset, sizes: sizes, strides: strides)
    }
  }
}
