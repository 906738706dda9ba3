import ModelIR

/// Scales of whole tensors that are stored beside them: `blk.0.attn_q.scale` for `blk.0.attn_q.weight`.
///
/// A product with the weight is multiplied by its scale, so that the weight is the stored values times the scale; a stack of
/// experts has one scale for each. Writers split off scales of NVFP4 and of ternary weights alone: a tensor of that name beside
/// another one is a parameter of the network.
/// Source: llama.cpp, src/llama-graph.cpp, `build_lora_mm` and `build_moe_ffn`; gguf-py, conversion of NVFP4.
enum GGUFScales {
  private static let kinds: Set<String> = [NVFP4.name, TQ1_0.name, TQ2_0.name]
  private static let (weight, scale) = (".weight", ".scale")

  /// Multiplies weights by their scales, which are left out; returns the names of these weights too.
  ///
  /// - Throws: `badData` if a scale has another shape.
  static func applied(
    to tensors: [(name: String, stored: StoredTensor)]
  ) throws(NetconvError) -> (
    tensors: [(name: String, stored: StoredTensor)], scaled: Set<String>
  ) {
    let byName = Dictionary(tensors.map { ($0.name, $0.stored) }) { first, _ in first }
    var applied: Set<String> = []
    var names: Set<String> = []
    let scaled = try tensors.map {
      name, stored throws(NetconvError) -> (name: String, stored: StoredTensor) in
      guard name.hasSuffix(weight), let kind = stored.kind, kinds.contains(kind.name),
        let scales = byName[name.dropLast(weight.count) + scale]
      else { return (name, stored) }
      do throws(NetconvError) {
        let product = try product(stored, kind, scales)
        applied.insert(scales.path)
        names.insert(name)
        return (name, product)
      } catch {
        throw error.inTensor(scales.path)
      }
    }
    return (scaled.filter { !applied.contains($0.name) }, names)
  }

  private static func product(
    _ weight: StoredTensor, _ kind: StoredKind, _ scales: StoredTensor
  ) throws(NetconvError) -> StoredTensor {
    let scales = try scales.checked(.floats, rank: scales.sizes.count)
    let (sizes, count) = (weight.sizes, scales.source.count)
    guard count == 1 || sizes.count == 3 && count == sizes[0] else {
      throw .memberOfShape(scales.path, scales.sizes, expected: sizes.count == 3 ? [sizes[0]] : [1])
    }
    let columns = max(1, weight.source.count / count)
    var product = weight
    product.source = GroupedValues(
      codes: weight.source, columns: columns, rowGroups: .each,
      columnGroups: .blocks(of: columns), groupColumns: 1, scales: scales.source)
    product.kind = StoredKind(
      kind.name, byteCount: kind.byteCount + count * scales.source.elementType.byteCount)
    return product
  }
}
