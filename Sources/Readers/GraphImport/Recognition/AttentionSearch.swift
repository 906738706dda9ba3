import ModelIR
import Operators

/// Finds attention that is written as products, a softmax, and moves of heads: softmax(q · kᵀ · scale + bias) · v.
///
/// A row of scores that are all -∞ is NaN there; as one layer, it attends to all keys alike.
struct AttentionSearch {
  let drafts: [GraphDraft]

  /// The attention that computes a draft; `nil` if there is none.
  func layer(of draft: Int) -> GraphDraft.Layer? {
    guard drafts[draft].shape.rank == 2 else { return nil }
    if let product = layer(draft, MatMul.self) { return attention(product, heads: nil) }
    // The heads are moved behind the steps, and merged.
    guard let merged = layer(draft, Reshape.self),
      let moved = layer(merged.inputs[0], Permute.self),
      moved.operation.order == [1, 0, 2], let product = layer(moved.inputs[0], MatMul.self),
      let heads = drafts[moved.inputs[0]].shape.dimensions[0],
      let width = drafts[moved.inputs[0]].shape.dimensions[2],
      drafts[draft].shape.dimensions[1] == heads * width
    else { return nil }
    return attention(product, heads: heads)
  }

  /// A layer of a known operator.
  private struct Found<Operation> {
    let operation: Operation
    let inputs: [Int]
  }

  private func layer<Operation: Operator>(
    _ draft: Int, _ type: Operation.Type
  ) -> Found<Operation>? {
    guard case .layer(let layer) = drafts[draft].content,
      let operation = layer.operation as? Operation, case .counted = layer.axes
    else { return nil }
    return Found(operation: operation, inputs: layer.inputs)
  }

  private func attention(_ product: Found<MatMul>, heads: Int?) -> GraphDraft.Layer? {
    guard !product.operation.transposesFirst, !product.operation.transposesSecond,
      let softmax = layer(product.inputs[0], Activation.self),
      let axis = softmax.operation.function.axis,
      case .softmax = softmax.operation.function,
      let scores = scores(under: softmax.inputs[0]),
      (try? axis.indices(rank: drafts[product.inputs[0]].shape.rank))
        == [drafts[product.inputs[0]].shape.rank - 1],
      let query = operand(scores.product.inputs[0], heads, isTransposed: false),
      let key = operand(
        scores.product.inputs[1], heads, isTransposed: !scores.product.operation.transposesSecond),
      let value = operand(product.inputs[1], heads, isTransposed: false), value.factor == 1,
      !scores.product.operation.transposesFirst
    else { return nil }
    let operation = Attention(
      heads: heads, scale: scores.factor * query.factor * key.factor,
      masks: scores.biases.map { _ in .bias })
    let inputs = [query.draft, key.draft, value.draft] + scores.biases
    let shapes = inputs.map { drafts[$0].shape }
    guard (try? operation.outputShape(for: shapes)) != nil else { return nil }
    return GraphDraft.Layer(operation: operation, inputs: inputs)
  }

  /// The product of queries and keys, its factor, and what is added to it.
  private func scores(
    under draft: Int
  ) -> (product: Found<MatMul>, factor: Double, biases: [Int])? {
    if let product = layer(draft, MatMul.self) { return (product, 1, []) }
    if let scaled = layer(draft, Rescaling.self), let factor = scaled.operation.onlyFactor,
      let scores = scores(under: scaled.inputs[0]), scores.biases.isEmpty
    {
      return (scores.product, scores.factor * factor, [])
    }
    guard let sum = layer(draft, Add.self), sum.inputs.count == 2 else { return nil }
    for (own, bias) in [(0, 1), (1, 0)] {
      // A sum that is wider than the product repeats it.
      guard let scores = scores(under: sum.inputs[own]),
        drafts[sum.inputs[own]].shape == drafts[draft].shape
      else { continue }
      return (scores.product, scores.factor, scores.biases + [sum.inputs[bias]])
    }
    return nil
  }

  /// The draft of (steps, heads · width) whose heads are moved in front of the steps, and its factor.
  private func operand(
    _ draft: Int, _ heads: Int?, isTransposed: Bool
  ) -> (draft: Int, factor: Double)? {
    var (draft, factor) = (draft, 1.0)
    var order = Array(0..<drafts[draft].shape.rank)
    let last = isTransposed ? order.count - 2 : order.count - 1
    guard order.count == (heads == nil ? 2 : 3), order.count > 1 else { return nil }
    if isTransposed { order.swapAt(order.count - 1, last) }
    // From now on, `order` has the axis of each of: heads, steps, width.
    while true {
      if let scaled = layer(draft, Rescaling.self), let own = scaled.operation.onlyFactor {
        (draft, factor) = (scaled.inputs[0], factor * own)
      } else if let moved = layer(draft, Permute.self) {
        order = order.map { moved.operation.order[$0] }
        draft = moved.inputs[0]
      } else {
        break
      }
    }
    guard let heads else { return order == [0, 1] ? (draft, factor) : nil }
    guard order == [1, 0, 2], let split = layer(draft, Reshape.self) else { return nil }
    let (sizes, whole) = (drafts[draft].shape.dimensions, drafts[split.inputs[0]].shape)
    guard whole.rank == 2, sizes[1] == heads, let width = sizes[2],
      whole.dimensions[1] == heads * width, whole.dimensions[0] == sizes[0]
    else { return nil }
    var source = split.inputs[0]
    while let scaled = layer(source, Rescaling.self), let own = scaled.operation.onlyFactor {
      (source, factor) = (scaled.inputs[0], factor * own)
    }
    return (source, factor)
  }
}

extension Rescaling {
  /// The factor, if the operator multiplies all values by one number.
  fileprivate var onlyFactor: Double? {
    scale.count == 1 && offset.allSatisfy { $0 == 0 } ? scale[0] : nil
  }
}
