import ModelIR

extension ParameterSpec {
  /// Returns the change to the graph that would make this number of values fit; `nil` if no single size would.
  ///
  /// Axes merged by a flatten are tried first, then input channels, then the rest.
  func edit(forCount count: Int, _ layout: Layout) -> String? {
    guard count > 0, let expected = try? layout.shape(sizes), !expected.contains(0) else {
      return nil
    }
    let order = layout.dimensions.indices.sorted { a, b in
      let ranks = [a, b].map { index in
        let axes = layout.dimensions[index].axes
        return axes.contains(.inputChannels) ? (axes.count > 1 ? 0 : 1) : 2
      }
      return ranks[0] == ranks[1] ? a < b : ranks[0] < ranks[1]
    }
    for index in order {
      var shape = expected
      shape[index] = 1
      guard let rest = try? product(shape), count % rest == 0 else { continue }
      shape[index] = count / rest
      if let edit = edit(for: shape, layout) { return edit }
    }
    return nil
  }

  /// Returns the number of groups of a transposed convolution with this many outputs per group; `nil` if impossible.
  private func groups(forOutputs count: Int) -> Int? {
    guard kind == .transposedConvolution, count > 0, let outputs = sizes[.outputChannels],
      let inputs = sizes[.inputChannels], outputs % count == 0
    else { return nil }
    let groups = outputs / count
    return groups > 1 && inputs % groups == 0 ? groups : nil
  }

  /// Returns the change to the graph that would make a tensor fit; `nil` if no single size would.
  ///
  /// - Parameters:
  ///   - shape: The shape of the tensor.
  ///   - layout: The layout of the tensor.
  func edit(for shape: [Int], _ layout: Layout) -> String? {
    guard shape.count == layout.dimensions.count,
      let expected = try? layout.shape(sizes)
    else { return nil }
    let others = shape.indices.filter { shape[$0] != expected[$0] }
    guard others.count == 1, let index = others.first else { return nil }
    let axes = layout.dimensions[index].axes
    if axes == [.outputChannels] {
      if let groups = groups(forOutputs: shape[index]) {
        return "it would fit \(groups) groups, but transposed convolutions have none here"
      }
      return "it would fit a layer with \(shape[index]) output\(shape[index] == 1 ? "" : "s")"
    }
    if axes == [.inputChannels] {
      return
        "it would fit after a layer with \(shape[index]) output channel\(shape[index] == 1 ? "" : "s")"
    }
    guard axes.count > 1, axes.contains(.inputChannels) else {
      return axes.count == 1
        ? "it would fit a kernel of size \(shape[index]) along \(axes[0])" : nil
    }
    let channels = sizes[.inputChannels] ?? 1
    let image = axes.filter { $0 != .inputChannels }.map { "\(sizes[$0] ?? 1)" }
    guard shape[index] % channels == 0 else {
      return "\(shape[index]) is not a multiple of the \(channels) channels before the flatten"
    }
    let places = shape[index] / channels
    let side = Int(Double(places).squareRoot())
    return "it would fit after a flatten of \(channels) channels of \(places) positions"
      + (side * side == places ? ", such as \(side) x \(side)," : "")
      + " where there are \(image.joined(separator: " x ")); change poolings, strides or paddings"
  }
}
