import ModelIR
import Pages

/// The kernels of the first convolution as pictures.
struct KernelPictures: Sendable, Encodable {
  /// The maximum number of kernels that are shown.
  static let limit = 64
  /// The maximum side in pixels; a larger kernel is not shown.
  private static let sideLimit = 32

  /// The index of the kernel among the report's tensors.
  let tensor: Int
  /// The number of output channels.
  let count: Int
  /// The number of input channels; three are shown as red, green and blue, otherwise only the first is shown.
  let inputChannels: Int
  /// The value that is shown at full brightness; its negative is black.
  let largest: Double
  /// The first kernels.
  let pictures: [PagePicture]

  /// Creates pictures of the first convolution kernel over images among `tensors`; `nil` if there is none.
  ///
  /// - Throws: any error from reading it.
  init?(of tensors: [Tensor]) throws(NetconvError) {
    let place = tensors.firstIndex { tensor in
      let (height, width) = (tensor.spec.sizes[.height] ?? 1, tensor.spec.sizes[.width] ?? 1)
      return tensor.spec.kind == .convolution && tensor.spec.layout.axes.contains(.height)
        && height * width > 1 && height <= Self.sideLimit && width <= Self.sideLimit
    }
    guard let place, let layout = Layout("OHWI") else { return nil }
    let tensor = try tensors[place].rearranged(to: layout)
    let (height, width) = (tensor.spec.sizes[.height] ?? 1, tensor.spec.sizes[.width] ?? 1)
    let inputs = tensor.spec.sizes[.inputChannels] ?? 1
    let outputs = tensor.spec.sizes[.outputChannels] ?? 1
    let shown = inputs == 3 ? 3 : 1
    let size = height * width * inputs
    let wanted = min(outputs, Self.limit)
    var values: [Float] = []
    values.reserveCapacity(wanted * height * width * shown)
    var index = 0
    let stream = ValueStream<Float>(tensor)
    reading: while let panel = try stream.next() {
      for value in panel {
        if index == wanted * size { break reading }
        if index % inputs < shown { values.append(value) }
        index += 1
      }
    }
    let largest = values.reduce(0) { $1.isFinite ? max($0, $1.magnitude) : $0 }
    let bytes = values.map { value in
      largest > 0 && value.isFinite ? UInt8((127.5 + 127.5 * (value / largest)).rounded()) : 128
    }
    let picture = height * width * shown
    self.tensor = place
    count = outputs
    inputChannels = inputs
    self.largest = Double(largest)
    pictures = (0..<wanted).map { kernel in
      PagePicture(
        width: width, height: height, channels: shown,
        bytes: Array(bytes[kernel * picture..<(kernel + 1) * picture]))
    }
  }
}
