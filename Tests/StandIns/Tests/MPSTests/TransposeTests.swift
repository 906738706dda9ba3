import MetalPerformanceShaders
import Testing

@Suite struct TransposeTests {
  let lab = Lab()

  func kernel(
    _ shape: MPSCNNConvolutionDescriptor, _ weights: [Float], biases: [Float] = []
  ) -> MPSCNNConvolutionTranspose {
    MPSCNNConvolutionTranspose(device: lab.device, weights: Weights(shape, weights, biases: biases))
  }

  /// The spread image of 1, 2, 3 with a stride of 2 is 1, 0, 2, 0, 3.
  @Test func `a window slides over the spread image, its weights as they are`() {
    let kernel = kernel(shape(width: 3, height: 1, 1, 1) { $0.strideInPixelsX = 2 }, [1, 10, 100])
    let source = lab.row([1, 2, 3])
    #expect(lab.run(kernel, on: source, 6, 1, 1) == [10, 201, 20, 302, 30, 3])
    #expect(kernel.isBackwards)
  }

  @Test func `the kernel's offset counts pixels of the spread image`() {
    let kernel = kernel(shape(width: 3, height: 1, 1, 1) { $0.strideInPixelsX = 2 }, [1, 10, 100])
    let source = lab.row([1, 2, 3])
    kernel.kernelOffsetX = 1
    #expect(lab.run(kernel, on: source, 3, 1, 1) == [201, 20, 302])
    kernel.kernelOffsetX = -1
    #expect(lab.run(kernel, on: source, 3, 1, 1) == [100, 10, 201])
  }

  @Test func `the offset counts pixels of the source`() {
    let kernel = kernel(shape(width: 3, height: 1, 1, 1) { $0.strideInPixelsX = 2 }, [1, 10, 100])
    kernel.offset.x = 1
    #expect(lab.run(kernel, on: lab.row([1, 2, 3]), 3, 1, 1) == [20, 302, 30])
  }

  @Test func `an even window begins half of its width to the left`() {
    let kernel = kernel(shape(width: 2, height: 1, 1, 1) { $0.strideInPixelsX = 2 }, [1, 10])
    #expect(lab.run(kernel, on: lab.row([1, 2, 3]), 6, 1, 1) == [10, 1, 20, 2, 30, 3])
  }

  @Test func `rows, channels, bias and neuron`() {
    // 1 x 2 pixels of 2 channels, a stride of 3 rows: 1 2 | 0 0 | 0 0 | 3 4.
    let shape = shape(width: 1, height: 1, 2, 5) {
      $0.strideInPixelsY = 3
      $0.fusedNeuronDescriptor = .cnnNeuronDescriptor(with: .reLU, a: 0)
    }
    let kernel = kernel(
      shape, [1, 0, 0, 1, 1, 1, 1, -1, 10, 100], biases: [0.5, 0, 0, 0, -500])
    #expect(
      lab.run(kernel, on: lab.image([1, 2, 3, 4], 1, 2, 2), 1, 4, 5) == [
        1.5, 2, 3, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 3.5, 4, 7, 0, 0,
      ])
  }

  @Test func `two dimensions are not mixed up`() {
    // 2 x 1 pixels 1, 2 with strides of 2 and 1: a spread image of 3 x 1 pixels; the window is 1 wide and 2 high.
    let kernel = kernel(shape(width: 1, height: 2, 1, 1) { $0.strideInPixelsX = 2 }, [1, 10])
    // Row 0: the window begins a row above: 10 * pixel. Row 1: 1 * pixel.
    #expect(lab.run(kernel, on: lab.row([1, 2]), 3, 2, 1) == [10, 0, 20, 1, 0, 2])
  }
}
