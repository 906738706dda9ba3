import ModelIR
import Pages

/// The kernels of the first convolution as pictures.
struct KernelPictures: Sendable, Encodable {
  /// The most kernels that are shown.
  static let limit = 64
  /// The most pixels of a side; a larger kernel is no picture that tells anything.
  private static let sideLimit = 32

  /// Which of the report's tensors it is.
  let tensor: Int
  /// Output channels that there are.
  let count: Int
  /// Input channels that there are; of three all are shown, as red, green and blue, else the first.
  let inputChannels: Int
  /// The value that is as bright as can be; its negative is as dark.
  let largest: Double
  /// The first kernels.
  let pictures: [PagePicture]

  /// The kernels of the first of `tensors` that is one over images; `nil` if none is.
  ///
  /// - Throws: what reading it throws.
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
