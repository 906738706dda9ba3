extension MPSGraphTemplates {
  var number: String {
    #"""
      /// A number of the type of a tensor.
      func number(_ value: Double, like tensor: MPSGraphTensor) -> MPSGraphTensor {
        graph.constant(value, dataType: tensor.dataType)
      }
    """#
  }

  var clamp: String {
    #"""
      /// Values kept within bounds.
      func clamp(
        _ x: MPSGraphTensor, from lowest: Double, to highest: Double, name: String? = nil
      ) -> MPSGraphTensor {
        graph.clamp(x, min: number(lowest, like: x), max: number(highest, like: x), name: name)
      }
    """#
  }

  var rectifier: String {
    #"""
      /// `min(max(x, 0), limit) + slope * min(x, 0)`.
      func rectifier(
        _ x: MPSGraphTensor, slope: Double, limit: Double? = nil, name: String? = nil
      ) -> MPSGraphTensor {
        var above = graph.reLU(with: x, name: nil)
        if let limit { above = graph.minimum(above, number(limit, like: x), name: nil) }
        let below = graph.minimum(x, number(0, like: x), name: nil)
        return graph.addition(
          above, graph.multiplication(below, number(slope, like: x), name: nil), name: name)
      }
    """#
  }

  var elu: String {
    #"""
      /// `x` above 0, `alpha * (exp(x) - 1)` below, both times the scale.
      func elu(
        _ x: MPSGraphTensor, alpha: Double, scale: Double = 1, name: String? = nil
      ) -> MPSGraphTensor {
        let above = graph.reLU(with: x, name: nil)
        // Above 0 this is 0; an exponential of the values themselves could become infinite.
        let below = graph.subtraction(
          graph.exponent(with: graph.minimum(x, number(0, like: x), name: nil), name: nil),
          number(1, like: x), name: nil)
        return graph.addition(
          graph.multiplication(above, number(scale, like: x), name: nil),
          graph.multiplication(below, number(scale * alpha, like: x), name: nil), name: name)
      }
    """#
  }

  var celu: String {
    #"""
      /// `x` above 0, `alpha * (exp(x / alpha) - 1)` below.
      func celu(_ x: MPSGraphTensor, alpha: Double, name: String? = nil) -> MPSGraphTensor {
        let below = graph.minimum(x, number(0, like: x), name: nil)
        let power = graph.exponent(
          with: graph.division(below, number(alpha, like: x), name: nil), name: nil)
        return graph.addition(
          graph.reLU(with: x, name: nil),
          graph.multiplication(
            graph.subtraction(power, number(1, like: x), name: nil), number(alpha, like: x),
            name: nil), name: name)
      }
    """#
  }

  var softPlus: String {
    #"""
      /// `log(1 + exp(x))`, as `max(x, 0) + log(1 + exp(-abs(x)))`, which stays finite.
      func softPlus(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
        let power = graph.exponent(
          with: graph.negative(with: graph.absolute(with: x, name: nil), name: nil), name: nil)
        let rest = graph.logarithm(
          with: graph.addition(power, number(1, like: x), name: nil), name: nil)
        return graph.addition(graph.reLU(with: x, name: nil), rest, name: name)
      }
    """#
  }

  var logSigmoid: String {
    #"""
      /// `log(1 / (1 + exp(-x)))`.
      func logSigmoid(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
        graph.negative(with: softPlus(graph.negative(with: x, name: nil)), name: name)
      }
    """#
  }

  var softSign: String {
    #"""
      /// `x / (1 + abs(x))`.
      func softSign(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
        let divisor = graph.addition(
          graph.absolute(with: x, name: nil), number(1, like: x), name: nil)
        return graph.division(x, divisor, name: name)
      }
    """#
  }

  var hardSigmoid: String {
    #"""
      /// `slope * x + 0.5`, kept from 0 to 1.
      func hardSigmoid(_ x: MPSGraphTensor, slope: Double, name: String? = nil) -> MPSGraphTensor {
        let line = graph.addition(
          graph.multiplication(x, number(slope, like: x), name: nil), number(0.5, like: x), name: nil)
        return clamp(line, from: 0, to: 1, name: name)
      }
    """#
  }

  var silu: String {
    #"""
      /// `x * sigmoid(x)`.
      func silu(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
        graph.multiplication(x, graph.sigmoid(with: x, name: nil), name: name)
      }
    """#
  }

  var hardSilu: String {
    #"""
      /// `x` times `x / 6 + 0.5`, the latter kept from 0 to 1.
      func hardSilu(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
        graph.multiplication(x, hardSigmoid(x, slope: 1.0 / 6), name: name)
      }
    """#
  }

  var gelu: String {
    #"""
      /// `x / 2 * (1 + erf(x / sqrt(2)))`.
      func gelu(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
        let error = graph.erf(
          with: graph.multiplication(x, number(0.5.squareRoot(), like: x), name: nil), name: nil)
        let half = graph.multiplication(x, number(0.5, like: x), name: nil)
        return graph.multiplication(
          half, graph.addition(error, number(1, like: x), name: nil), name: name)
      }
    """#
  }

  var geluTanh: String {
    #"""
      /// `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x * x * x)))`.
      func geluTanh(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
        let cube = graph.multiplication(graph.square(with: x, name: nil), x, name: nil)
        let sum = graph.addition(
          x, graph.multiplication(cube, number(0.044715, like: x), name: nil), name: nil)
        let tanh = graph.tanh(
          with: graph.multiplication(sum, number((2 / Double.pi).squareRoot(), like: x), name: nil),
          name: nil)
        let half = graph.multiplication(x, number(0.5, like: x), name: nil)
        return graph.multiplication(
          half, graph.addition(tanh, number(1, like: x), name: nil), name: name)
      }
    """#
  }

  var mish: String {
    #"""
      /// `x * tanh(softPlus(x))`.
      func mish(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
        graph.multiplication(x, graph.tanh(with: softPlus(x), name: nil), name: name)
      }
    """#
  }

  var softShrink: String {
    #"""
      /// `x`, closer to 0 by the threshold; 0 where it is nearer than that.
      func softShrink(_ x: MPSGraphTensor, threshold: Double, name: String? = nil) -> MPSGraphTensor {
        graph.subtraction(x, clamp(x, from: -threshold, to: threshold), name: name)
      }
    """#
  }

  var tanhShrink: String {
    #"""
      /// `x - tanh(x)`.
      func tanhShrink(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
        graph.subtraction(x, graph.tanh(with: x, name: nil), name: name)
      }
    """#
  }

  var squarePlus: String {
    #"""
      /// `(x + sqrt(x * x + b)) / 2`.
      func squarePlus(_ x: MPSGraphTensor, b: Double, name: String? = nil) -> MPSGraphTensor {
        let root = graph.squareRoot(
          with: graph.addition(graph.square(with: x, name: nil), number(b, like: x), name: nil),
          name: nil)
        return graph.multiplication(
          graph.addition(x, root, name: nil), number(0.5, like: x), name: name)
      }
    """#
  }

  var sparsePlus: String {
    #"""
      /// 0 below -1, `(x + 1) * (x + 1) / 4` up to 1, `x` above.
      func sparsePlus(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
        let middle = graph.addition(
          clamp(x, from: -1, to: 1), number(1, like: x), name: nil)
        let square = graph.multiplication(
          graph.square(with: middle, name: nil), number(0.25, like: x), name: nil)
        let above = graph.reLU(
          with: graph.subtraction(x, number(1, like: x), name: nil), name: nil)
        return graph.addition(square, above, name: name)
      }
    """#
  }

  var logSoftMax: String {
    #"""
      /// The logarithm of a softmax over axes.
      func logSoftMax(_ x: MPSGraphTensor, axes: [Int], name: String? = nil) -> MPSGraphTensor {
        let axes = axes.map { NSNumber(value: $0) }
        // Reductions leave axes of size 1, which fit to all values.
        let shifted = graph.subtraction(
          x, graph.reductionMaximum(with: x, axes: axes, name: nil), name: nil)
        let sum = graph.reductionSum(
          with: graph.exponent(with: shifted, name: nil), axes: axes, name: nil)
        return graph.subtraction(shifted, graph.logarithm(with: sum, name: nil), name: name)
      }
    """#
  }

  var softMax: String {
    #"""
      /// A softmax over several axes; the graph has it over one.
      func softMax(_ x: MPSGraphTensor, axes: [Int], name: String? = nil) -> MPSGraphTensor {
        graph.exponent(with: logSoftMax(x, axes: axes), name: name)
      }
    """#
  }
}
