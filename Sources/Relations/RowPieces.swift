import ModelIR

/// The parts of a tensor according to the rows of other tensors that its own rows have the values of.
struct RowPieces {
  private let a: [RelatedTensor]
  private let rows: TensorRows

  /// The most parts of a tensor.
  private static let mostParts = 1 << 12

  init(_ a: [RelatedTensor], _ rows: TensorRows) {
    self.a = a
    self.rows = rows
  }

  /// The parts; `nil` unless each row has a place in another tensor that is known, or follows from those of other rows.
  ///
  /// - Parameters:
  ///   - matches: for each row, the row of another tensor with the same values.
  ///   - spare: tensors that nothing has come from, for rows that no tensor with matches explains.
  func parts(
    _ matches: [RowName?], sparing spare: [Int], _ likeness: Likeness
  ) -> [RelatedPart]? {
    guard let sources = assigned(matches) ?? assignedToSeveral(matches, spare) else { return nil }
    var parts: [RelatedPart] = []
    var places: [Owner: [Int]] = [:]
    var order: [Owner] = []
    for (place, source) in sources.enumerated() {
      let owner = Owner(source)
      if places[owner] == nil { order.append(owner) }
      places[owner, default: []].append(place)
    }
    for owner in order {
      for run in Self.runs(places[owner] ?? [], sources.map(\.row)) {
        guard let part = part(run, run.map { sources[$0].row }, of: owner, likeness),
          parts.count < Self.mostParts
        else { return nil }
        parts.append(part)
      }
    }
    return parts
  }

  /// A tensor, and the axis along which its rows lie.
  private struct Owner: Hashable {
    let tensor: Int
    let axis: Int

    init(_ row: RowName) { (tensor, axis) = (row.tensor, row.axis) }

    init(tensor: Int, axis: Int) { (self.tensor, self.axis) = (tensor, axis) }

    func row(_ row: Int) -> RowName { RowName(tensor: tensor, axis: axis, row: row) }
  }

  // MARK: - Rows

  /// The source of each row if all are of one tensor.
  private func assigned(_ matches: [RowName?]) -> [RowName]? {
    let known = matches.enumerated().compactMap { place, match in match.map { (place, $0) } }
    let counts = Dictionary(known.map { (Owner($1), 1) }, uniquingKeysWith: +)
    guard let most = counts.values.max(), most * 2 >= matches.count,
      let owner = counts.first(where: { $0.value == most })?.key,
      counts.count == 1 || most * 4 >= known.count * 3
    else { return nil }
    let count = TensorRows(tensor: a[owner.tensor], axis: owner.axis).count
    guard count >= matches.count else { return nil }
    let own = known.filter { Owner($1) == owner }
    guard let order = Self.order(matches.count, Dictionary(own.map { ($0, $1.row) }) { $1 }),
      order.allSatisfy({ 0..<count ~= $0 })
    else { return nil }
    return order.map(owner.row)
  }

  /// The place of each row: as it is known if all are, and no two are at one place; otherwise by loops.
  private static func order(_ count: Int, _ known: [Int: Int]) -> [Int]? {
    if known.count == count, Set(known.values).count == count {
      return (0..<count).compactMap { known[$0] }
    }
    guard let places = RowOrder(count: count, known: known)?.places,
      Set(places).count == count
    else { return nil }
    return places
  }

  /// The source of each row if the tensor is made of several whole ones.
  private func assignedToSeveral(_ matches: [RowName?], _ spare: [Int]) -> [RowName]? {
    var known: [Owner: [Int: Int]] = [:]
    for (place, match) in matches.enumerated() {
      if let match { known[Owner(match), default: [:]][match.row] = place }
    }
    var sources = [RowName?](repeating: nil, count: matches.count)
    let owners = known.sorted {
      ($0.key.tensor, $0.key.axis) < ($1.key.tensor, $1.key.axis)
    }
    for (owner, places) in owners {
      let count = TensorRows(tensor: a[owner.tensor], axis: owner.axis).count
      // A few rows of another tensor are no part, but differ from what belongs there.
      guard places.count * 2 > count else { continue }
      guard let order = Self.order(count, places) else { return nil }
      for (row, place) in order.enumerated() {
        guard sources.indices.contains(place), sources[place] == nil else { return nil }
        sources[place] = owner.row(row)
      }
    }
    guard !sources.allSatisfy({ $0 == nil }) else { return nil }
    fill(&sources, spare)
    let found = sources.compactMap(\.self)
    return found.count == sources.count ? found : nil
  }

  /// Gives the rows without a source to the only spare tensor that has as many.
  private func fill(_ sources: inout [RowName?], _ spare: [Int]) {
    let open = sources.indices.filter { sources[$0] == nil }
    guard let axis = sources.lazy.compactMap(\.self).first?.axis, !open.isEmpty else { return }
    let used = Set(sources.compactMap { $0?.tensor })
    let fitting = spare.filter { index in
      guard !used.contains(index), a[index].shape.indices.contains(axis) else { return false }
      let rows = TensorRows(tensor: a[index], axis: axis)
      return rows.length == self.rows.length && rows.count == open.count
    }
    guard fitting.count == 1 else { return }
    for (row, place) in open.enumerated() {
      sources[place] = RowName(tensor: fitting[0], axis: axis, row: row)
    }
  }

  // MARK: - Sections

  /// Splits places into runs of one stride whose sources lie beside each other, in any order.
  private static func runs(_ places: [Int], _ sources: [Int]) -> [[Int]] {
    if isProgression(places), isProgression(places.map { sources[$0] }.sorted()) { return [places] }
    var runs: [[Int]] = []
    for place in places {
      if let last = runs.last?.last, place == last + 1, sources[place] == sources[last] + 1 {
        runs[runs.count - 1].append(place)
      } else {
        runs.append([place])
      }
    }
    return runs
  }

  private static func isProgression(_ numbers: [Int]) -> Bool {
    guard numbers.count > 1 else { return true }
    let step = numbers[1] - numbers[0]
    return step > 0 && zip(numbers, numbers.dropFirst()).allSatisfy { $1 - $0 == step }
  }

  /// The part whose rows `places` are `sources` of another tensor.
  private func part(
    _ places: [Int], _ sources: [Int], of owner: Owner, _ likeness: Likeness
  ) -> RelatedPart? {
    let tensor = a[owner.tensor]
    let own = TensorRows(tensor: tensor, axis: owner.axis)
    guard let target = RowBox(places, in: rows), let source = RowBox(sources, in: own) else {
      return nil
    }
    let shape = target.shape
    // The offset of each row in the section of the source.
    let offsets = sources.map(source.offset)
    var tables: [[Int]] = []
    let strides = rowMajorStrides(of: target.rowShape)
    for axis in shape.indices where shape[axis] != 1 {
      if axis == rows.axis {
        tables.append((0..<own.length).map { $0 * source.stride })
        continue
      }
      let stride = strides[axis < rows.axis ? axis : axis - 1]
      tables.append((0..<shape[axis]).map { offsets[$0 * stride] - offsets[0] })
    }
    guard isSum(offsets, of: tables, shape),
      let (move, orders) = AxisTables(origin: offsets[0], tables: tables)
        .rearrangement(of: source.shape, to: shape)
    else { return nil }
    return RelatedPart(
      target: target.sections, source: owner.tensor, sourceSections: source.sections,
      rearrangement: move, orders: orders, likeness: likeness)
  }

  /// True if the offset of each row is that of the first plus an entry of the table of each axis.
  private func isSum(_ offsets: [Int], of tables: [[Int]], _ shape: [Int]) -> Bool {
    var sums = [offsets[0]]
    var tables = tables[...]
    for axis in shape.indices where shape[axis] != 1 {
      guard let table = tables.popFirst() else { return false }
      if axis != rows.axis { sums = sums.flatMap { sum in table.map { sum + $0 } } }
    }
    return sums == offsets
  }
}

/// A section of a tensor that consists of whole rows.
private struct RowBox {
  private let rows: TensorRows
  /// The first index, the step and the number of indices along each axis but that of the rows.
  private let ranges: [(first: Int, step: Int, count: Int)]

  /// - Returns: `nil` unless the rows are all combinations of some indices with one step along each axis.
  init?(_ numbers: [Int], in rows: TensorRows) {
    self.rows = rows
    let shape = rows.otherShape
    let strides = rowMajorStrides(of: shape)
    var ranges: [(first: Int, step: Int, count: Int)] = []
    for (size, stride) in zip(shape, strides) {
      let indices = Set(numbers.map { $0 / stride % size }).sorted()
      guard let first = indices.first else { return nil }
      let step = indices.count > 1 ? indices[1] - first : 1
      guard indices.enumerated().allSatisfy({ $1 == first + $0 * step }) else { return nil }
      ranges.append((first, step, indices.count))
    }
    self.ranges = ranges
    guard ranges.reduce(1, { $0 * $1.count }) == numbers.count else { return nil }
  }

  /// The sizes of the axes but that of the rows.
  var rowShape: [Int] { ranges.map(\.count) }

  /// The sizes of all axes.
  var shape: [Int] {
    var shape = rowShape
    shape.insert(rows.length, at: rows.axis)
    return shape
  }

  /// The distance of two values of a row in the section.
  var stride: Int { rowMajorStrides(of: shape)[rows.axis] }

  /// The sections of axes that are not used as a whole.
  var sections: [RelatedPart.Section] {
    rows.otherShape.indices.compactMap { index in
      let (range, size) = (ranges[index], rows.otherShape[index])
      guard range.count < size else { return nil }
      let end = range.first + (range.count - 1) * range.step + 1
      return RelatedPart.Section(
        axis: index < rows.axis ? index : index + 1, range: range.first..<end, step: range.step)
    }
  }

  /// The offset in the section of the first value of a row of the tensor.
  func offset(of row: Int) -> Int {
    let (shape, others) = (rows.otherShape, rowMajorStrides(of: rows.otherShape))
    let strides = rowMajorStrides(of: self.shape)
    return shape.indices.reduce(0) { sum, index in
      let place = (row / others[index] % shape[index] - ranges[index].first) / ranges[index].step
      return sum + place * strides[index < rows.axis ? index : index + 1]
    }
  }
}
