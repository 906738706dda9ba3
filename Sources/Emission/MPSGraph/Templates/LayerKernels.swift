extension MPSGraphTemplates {
  var convolution: String {
    #"""
      /// A convolution; zeros lie around the image.
      ///
      /// - Parameters:
      ///   - kernel: height, width, input channels of a group, output channels.
      ///   - padding: in pixels; given as numbers, since not every model pads as `TF_SAME` does.
      func convolution(
        _ source: MPSGraphTensor, layer: String, role: String = "kernel", kernel shape: [Int],
        stride: (x: Int, y: Int) = (1, 1), dilation: (x: Int, y: Int) = (1, 1), groups: Int = 1,
        padding: (left: Int, right: Int, top: Int, bottom: Int) = (0, 0, 0, 0),
        bias hasBias: Bool = true
      ) throws -> MPSGraphTensor {
        guard
          let descriptor = MPSGraphConvolution2DOpDescriptor(
            strideInX: stride.x, strideInY: stride.y, dilationRateInX: dilation.x,
            dilationRateInY: dilation.y, groups: groups, paddingLeft: padding.left,
            paddingRight: padding.right, paddingTop: padding.top, paddingBottom: padding.bottom,
            paddingStyle: .explicit, dataLayout: .NHWC, weightsLayout: .HWIO)
        else { throw \#(name)Error("\(layer) is no convolution that MPSGraph has") }
        let sums = graph.convolution2D(
          source, weights: try kernel(layer, role, shape: shape), descriptor: descriptor, name: layer)
        return hasBias ? try bias(layer, channels: shape[3], to: sums) : sums
      }
    """#
  }

  var depthwiseConvolution: String {
    #"""
      /// A convolution of each channel with kernels of its own; zeros lie around the image.
      ///
      /// - Parameters:
      ///   - kernel: height, width, channels, and how many output channels each of them gets, which lie next to one
      ///     another. In `HWIO` the O stands for these.
      ///   - padding: in pixels; given as numbers, since not every model pads as `TF_SAME` does.
      func depthwiseConvolution(
        _ source: MPSGraphTensor, layer: String, role: String = "kernel", kernel shape: [Int],
        stride: (x: Int, y: Int) = (1, 1), dilation: (x: Int, y: Int) = (1, 1),
        padding: (left: Int, right: Int, top: Int, bottom: Int) = (0, 0, 0, 0),
        bias hasBias: Bool = true
      ) throws -> MPSGraphTensor {
        guard
          let descriptor = MPSGraphDepthwiseConvolution2DOpDescriptor(
            strideInX: stride.x, strideInY: stride.y, dilationRateInX: dilation.x,
            dilationRateInY: dilation.y, paddingLeft: padding.left, paddingRight: padding.right,
            paddingTop: padding.top, paddingBottom: padding.bottom, paddingStyle: .explicit,
            dataLayout: .NHWC, weightsLayout: .HWIO)
        else { throw \#(name)Error("\(layer) is no depthwise convolution that MPSGraph has") }
        let sums = graph.depthwiseConvolution2D(
          source, weights: try kernel(layer, role, shape: shape), descriptor: descriptor, name: layer)
        return hasBias ? try bias(layer, channels: shape[2] * shape[3], to: sums) : sums
      }
    """#
  }

  var fullyConnected: String {
    #"""
      /// A fully-connected layer: a product of matrices, whose rows are the vectors of a batch.
      ///
      /// - Parameters:
      ///   - kernel: values of a vector, outputs.
      ///   - positions: the axes between the batch and the vectors, if there are any: these are rows too.
      func fullyConnected(
        _ source: MPSGraphTensor, layer: String, kernel shape: [Int], positions: [Int] = [],
        bias hasBias: Bool = true
      ) throws -> MPSGraphTensor {
        func reshaped(_ tensor: MPSGraphTensor, _ shape: [Int]) -> MPSGraphTensor {
          positions.isEmpty
            ? tensor : graph.reshape(tensor, shape: shape.map { NSNumber(value: $0) }, name: nil)
        }
        var sums = graph.matrixMultiplication(
          primary: reshaped(source, [-1, shape[0]]),
          secondary: try kernel(layer, "kernel", shape: shape), name: layer)
        if hasBias { sums = try bias(layer, channels: shape[1], to: sums) }
        return reshaped(sums, [-1] + positions + [shape[1]])
      }
    """#
  }

  var poolingDescriptor: String {
    #"""
      /// The windows of a pooling.
      private func poolingDescriptor(
        _ layer: String, _ window: (width: Int, height: Int), _ stride: (x: Int, y: Int),
        _ padding: (left: Int, right: Int, top: Int, bottom: Int)
      ) throws -> MPSGraphPooling2DOpDescriptor {
        guard
          let descriptor = MPSGraphPooling2DOpDescriptor(
            kernelWidth: window.width, kernelHeight: window.height, strideInX: stride.x,
            strideInY: stride.y, dilationRateInX: 1, dilationRateInY: 1, paddingLeft: padding.left,
            paddingRight: padding.right, paddingTop: padding.top, paddingBottom: padding.bottom,
            paddingStyle: .explicit, dataLayout: .NHWC)
        else { throw \#(name)Error("\(layer) is no pooling that MPSGraph has") }
        return descriptor
      }
    """#
  }

  var maxPooling: String {
    #"""
      /// The largest value of each window; what lies outside of the image plays no part.
      func maxPooling(
        _ source: MPSGraphTensor, layer: String, window: (width: Int, height: Int),
        stride: (x: Int, y: Int),
        padding: (left: Int, right: Int, top: Int, bottom: Int) = (0, 0, 0, 0)
      ) throws -> MPSGraphTensor {
        graph.maxPooling2D(
          withSourceTensor: source,
          descriptor: try poolingDescriptor(layer, window, stride, padding), name: layer)
      }
    """#
  }

  var averagePooling: String {
    #"""
      /// The mean of each window: of the pixels that lie in the image.
      func averagePooling(
        _ source: MPSGraphTensor, layer: String, window: (width: Int, height: Int),
        stride: (x: Int, y: Int),
        padding: (left: Int, right: Int, top: Int, bottom: Int) = (0, 0, 0, 0)
      ) throws -> MPSGraphTensor {
        let descriptor = try poolingDescriptor(layer, window, stride, padding)
        // At the edges the sum is divided by fewer pixels than a window has.
        descriptor.includeZeroPadToAverage = false
        return graph.avgPooling2D(withSourceTensor: source, descriptor: descriptor, name: layer)
      }
    """#
  }

  var normalization: String {
    #"""
      /// A normalisation with the mean and the variance of training.
      ///
      /// - Parameter shape: of the parameters, with 1 for each axis that shares them.
      func normalization(
        _ source: MPSGraphTensor, layer: String, shape: [Int], epsilon: Float,
        scale: Bool = true, offset: Bool = true
      ) throws -> MPSGraphTensor {
        graph.normalize(
          source, mean: try parameter(layer, "mean", shape: shape),
          variance: try parameter(layer, "variance", shape: shape),
          gamma: scale ? try parameter(layer, "gamma", shape: shape) : nil,
          beta: offset ? try parameter(layer, "beta", shape: shape) : nil, epsilon: epsilon,
          name: layer)
      }
    """#
  }

  var layerNormalization: String {
    #"""
      /// A normalisation of each sample with its own mean and variance along axes.
      ///
      /// - Parameter shape: of the parameters, with 1 for each axis that shares them.
      func layerNormalization(
        _ source: MPSGraphTensor, layer: String, axes: [Int], shape: [Int], epsilon: Float,
        scale: Bool = true, offset: Bool = true
      ) throws -> MPSGraphTensor {
        let axes = axes.map { NSNumber(value: $0) }
        return graph.normalize(
          source, mean: graph.mean(of: source, axes: axes, name: nil),
          variance: graph.variance(of: source, axes: axes, name: nil),
          gamma: scale ? try parameter(layer, "gamma", shape: shape) : nil,
          beta: offset ? try parameter(layer, "beta", shape: shape) : nil, epsilon: epsilon,
          name: layer)
      }
    """#
  }

  var rescaled: String {
    #"""
      /// `scale * x + offset`, with one number or one for each channel.
      func rescaled(
        _ x: MPSGraphTensor, scale: [Float], offset: [Float], name: String? = nil
      ) -> MPSGraphTensor {
        func constant(_ values: [Float]) -> MPSGraphTensor {
          graph.constant(
            values.withUnsafeBytes { Data($0) }, shape: [NSNumber(value: values.count)],
            dataType: .float32)
        }
        return graph.addition(
          graph.multiplication(x, constant(scale), name: nil), constant(offset), name: name)
      }
    """#
  }
}
