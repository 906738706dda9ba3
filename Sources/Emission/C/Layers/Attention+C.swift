import ModelIR
import Operators

extension Attention: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let sizes = sizes(of: layer.inputs)
    let numbers = [
      sizes.queries, sizes.keys, sizes.heads, sizes.keyHeads, sizes.width, sizes.valueWidth,
      before ?? -1, after ?? -1, zerosEmpty ? 1 : 0,
    ]
    let strides = zip(masks, layer.inputs.dropFirst(3)).map { $0.cStrides(of: $1) }
    let factors = [factor(width: sizes.width), softCap ?? 0].map { CText.literal($0) }
    // The weights are computed once more for an output of their own.
    let functions = [AttentionResult.means, .weights].filter { result == $0 || result == .both }
      .map { CFunction.attend(score, returnsWeights: $0 == .weights) }
    return CStep(
      functions,
      parameters: CStep.Parameter.optional("gamma", layer.values(.gamma))
        + CStep.Parameter.optional("alpha", layer.values(.alpha)), scratch: sizes.keys
    ) { places in
      let inputs = places.inputs.prefix(3).joined(separator: ", ")
      let list = zip(places.inputs.dropFirst(3), strides).map { "{\($0), \($1.list)}" }
      let all = list.isEmpty ? "{NULL, 0, 0, 0, 0}" : list.joined(separator: ", ")
      let settings = "&sizes, \(factors.joined(separator: ", "))"
      let parameters = "\(places["gamma"]), \(places["alpha"])"
      let calls = zip(functions, places.outputs).map { function, output in
        "\(function.name)(\(inputs), \(settings), \(parameters), masks, \(list.count), \(places.scratch), \(output));"
      }
      return CText.block(
        [
          "const attention_sizes sizes = {\(numbers.list)};",
          "const attention_mask masks[] = {\(all)};",
        ] + calls)
    }
  }
}

extension AttentionMask {
  /// Returns the kind as C's number, and the distances of heads, queries and keys.
  fileprivate func cStrides(of shape: [Int]) -> [Int] {
    let sizes = [Int](repeating: 1, count: max(0, 3 - shape.count)) + shape
    let pairs = [
      sizes[0] == 1 ? 0 : sizes[1] * sizes[2], sizes[1] == 1 ? 0 : sizes[2],
      sizes[2] == 1 ? 0 : 1,
    ]
    return switch self {
    case .keys: [0, 0, 0, 1]
    case .queries: [0, 0, 1, 0]
    case .pairs: [0] + pairs
    case .bias: [1] + pairs
    case .results: [2, 0, 1, 0]
    }
  }
}

extension CFunction {
  private static let attentionTypes = CFunction(
    "attention_sizes",
    """
    /* The sizes of attention; distances of keys before and behind a query are unlimited if they are negative. */
    typedef struct {
        int queries, keys, heads, key_heads, width, value_width, before, after, zeros_empty;
    } attention_sizes;

    /* A mask of kind 0, numbers that are added to scores (1), or a mask of results (2). */
    typedef struct {
        const float *values;
        int kind, head, query, key;
    } attention_mask;
    """)

  /// The softmax of a row of scores.
  private static let attentionRow = CFunction(
    "weigh_scores",
    """
    /* Softmax of scores; if all are -infinity, they are `empty` before they are divided by their sum. */
    static void weigh_scores(float *x, int count, float empty)
    {
        float largest = -INFINITY, sum = 0.0f;
        for (int i = 0; i < count; i++) {
            if (x[i] > largest || x[i] != x[i]) largest = x[i];
        }
        for (int i = 0; i < count; i++) {
            x[i] = largest == -INFINITY ? empty : expf(x[i] - largest);
            sum += x[i];
        }
        for (int i = 0; i < count && sum != 0.0f; i++) x[i] /= sum;
    }
    """)

  /// Attention with a kind of scores.
  fileprivate static func attend(_ score: AttentionScore, returnsWeights: Bool) -> CFunction {
    let (name, term, factor) =
      switch score {
      case .dot: ("dot", "q[i] * k[i]", "gamma")
      case .additive: ("additive", "(gamma == NULL ? 1.0f : gamma[i]) * tanhf(q[i] + k[i])", "")
      case .scaledAdditive:
        ("scaled", "tanhf((gamma == NULL ? 1.0f : gamma[0]) * (q[i] + k[i]))", "alpha")
      }
    let function = score == .dot && !returnsWeights ? "attend" : "attend_\(name)"
    let scores = CFunction(
      "score_\(name)", uses: [attentionTypes],
      """
      /* The scores of all keys for a query of a head, with their masks. */
      static void score_\(name)(
          const float *query, const float *key, const attention_sizes *s, float scale, float cap,
          const float *gamma, const float *alpha, const attention_mask *masks, int mask_count,
          int head, int place, float *scores)
      {
          const int group = head / (s->heads / s->key_heads);
          const float *q = query + (place * s->heads + head) * s->width;
          for (int j = 0; j < s->keys; j++) {
              const float *k = key + (j * s->key_heads + group) * s->width;
              float score = 0.0f;
              int counts = (s->before < 0 || place - j <= s->before)
                  && (s->after < 0 || j - place <= s->after);
              for (int i = 0; i < s->width; i++) score += \(term);
              score *= scale\(factor.isEmpty ? "" : " * (\(factor) == NULL ? 1.0f : \(factor)[0])");
              if (cap > 0.0f) score = cap * tanhf(score / cap);
              for (int m = 0; m < mask_count; m++) {
                  const attention_mask *mask = &masks[m];
                  const float value =
                      mask->values[head * mask->head + place * mask->query + j * mask->key];
                  if (mask->kind == 1) score += value;
                  if (mask->kind == 0 && value == 0.0f) counts = 0;
              }
              scores[j] = counts ? score : -INFINITY;
          }
          (void)gamma;
          (void)alpha;
      }
      """)
    let ending =
      returnsWeights
      ? """
      float *row = out + (head * s->queries + place) * s->keys;
                  for (int j = 0; j < s->keys; j++) row[j] = weights[j];
                  (void)value;
      """
      : """
      const int group = head / (s->heads / s->key_heads);
                  float *mean = out + (place * s->heads + head) * s->value_width;
                  for (int i = 0; i < s->value_width; i++) mean[i] = 0.0f;
                  for (int m = 0; m < mask_count; m++) {
                      if (masks[m].kind == 2 && masks[m].values[place] == 0.0f) counts = 0;
                  }
                  for (int j = 0; j < s->keys && counts; j++) {
                      const float *v = value + (j * s->key_heads + group) * s->value_width;
                      for (int i = 0; i < s->value_width; i++) mean[i] += weights[j] * v[i];
                  }
      """
    return CFunction(
      returnsWeights ? "\(function)_weights" : function, uses: [scores, attentionRow],
      """
      /* Attention: \(returnsWeights ? "the weights of values" : "means of values, weighted by how well keys fit a query"). */
      static void \(returnsWeights ? "\(function)_weights" : function)(
          const float *query, const float *key, const float *value, const attention_sizes *s,
          float scale, float cap, const float *gamma, const float *alpha,
          const attention_mask *masks, int mask_count, float *weights, float *out)
      {
          for (int head = 0; head < s->heads; head++) {
              for (int place = 0; place < s->queries; place++) {
                  \(returnsWeights ? "" : "int counts = 1;")
                  score_\(name)(
                      query, key, s, scale, cap, gamma, alpha, masks, mask_count, head, place, weights);
                  weigh_scores(weights, s->keys, s->zeros_empty ? 0.0f : 1.0f);
                  \(ending)
              }
          }
      }
      """)
  }
}
