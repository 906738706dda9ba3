import ModelIR

extension PackedCodes: GriddedSource {
  func neighbours(_ side: GridSide) -> (any TensorSource)? {
    PackedCodes(
      words: words, wordBits: wordBits, bits: bits, columns: columns, wordColumns: wordColumns,
      order: order, numbers: side.neighbours(of: numbers))
  }
}

extension ColumnCodes: GriddedSource {
  func neighbours(_ side: GridSide) -> (any TensorSource)? {
    ColumnCodes(
      words: words, bits: bits, rows: rows, columns: columns, codesInWord: codesInWord,
      numbers: side.neighbours(of: numbers))
  }
}

extension GroupedValues: GriddedSource {
  func neighbours(_ side: GridSide) -> (any TensorSource)? {
    let next: (any TensorSource)? =
      if let codes = codes as? any GriddedSource {
        codes.neighbours(side)
      } else if codes.elementType == .int8 {
        NextIntegers(integers: codes, side: side)
      } else {
        nil
      }
    return next.map { next in
      GroupedValues(
        codes: next, columns: columns, rowGroups: rowGroups, columnGroups: columnGroups,
        groupColumns: groupColumns, scales: scales, zeros: zeros, biases: biases)
    }
  }
}

/// The integers above or below signed bytes.
private struct NextIntegers: TensorSource {
  let integers: any TensorSource
  let side: GridSide

  var elementType: ElementType { .float32 }
  var count: Int { integers.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try integers.read(range, into: values)
    let (step, end): (Float, Float) = side == .above ? (1, 127) : (-1, -128)
    for index in 0..<range.count {
      values[index] = values[index] == end ? side.infinity : values[index] + step
    }
  }
}
