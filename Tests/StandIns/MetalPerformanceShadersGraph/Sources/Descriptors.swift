/// A convolution's window, padding and layouts.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphconvolution2dopdescriptor
open class MPSGraphConvolution2DOpDescriptor: MPSGraphObject, NSCopying {
  /// How far apart the windows are.
  open var strideInX = 1
  /// How far apart the windows are.
  open var strideInY = 1
  /// How far apart the window's pixels are.
  open var dilationRateInX = 1
  /// How far apart the window's pixels are.
  open var dilationRateInY = 1
  /// Zeros on the left, if padding is explicit.
  open var paddingLeft = 0
  /// Zeros on the right, if padding is explicit.
  open var paddingRight = 0
  /// Zeros above, if padding is explicit.
  open var paddingTop = 0
  /// Zeros below, if padding is explicit.
  open var paddingBottom = 0
  /// How padding is found.
  open var paddingStyle = MPSGraphPaddingStyle.explicit
  /// The order of images.
  open var dataLayout: MPSGraphTensorNamedDataLayout
  /// The order of weights.
  open var weightsLayout: MPSGraphTensorNamedDataLayout
  /// Parts of the channels that do not meet.
  open var groups = 1

  /// With explicit padding; none if the numbers or layouts make no sense.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphconvolution2dopdescriptor/init(strideinx:strideiny:dilationrateinx:dilationrateiny:groups:paddingleft:paddingright:paddingtop:paddingbottom:paddingstyle:datalayout:weightslayout:)
  public init?(
    strideInX: Int, strideInY: Int, dilationRateInX: Int, dilationRateInY: Int, groups: Int,
    paddingLeft: Int, paddingRight: Int, paddingTop: Int, paddingBottom: Int,
    paddingStyle: MPSGraphPaddingStyle, dataLayout: MPSGraphTensorNamedDataLayout,
    weightsLayout: MPSGraphTensorNamedDataLayout
  ) {
    self.dataLayout = dataLayout
    self.weightsLayout = weightsLayout
    super.init()
    (self.strideInX, self.strideInY) = (strideInX, strideInY)
    (self.dilationRateInX, self.dilationRateInY) = (dilationRateInX, dilationRateInY)
    (self.paddingLeft, self.paddingRight) = (paddingLeft, paddingRight)
    (self.paddingTop, self.paddingBottom) = (paddingTop, paddingBottom)
    self.groups = groups
    self.paddingStyle = paddingStyle
    guard isSensible else { return nil }
  }

  /// Without explicit padding.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphconvolution2dopdescriptor/init(strideinx:strideiny:dilationrateinx:dilationrateiny:groups:paddingstyle:datalayout:weightslayout:)
  public convenience init?(
    strideInX: Int, strideInY: Int, dilationRateInX: Int, dilationRateInY: Int, groups: Int,
    paddingStyle: MPSGraphPaddingStyle, dataLayout: MPSGraphTensorNamedDataLayout,
    weightsLayout: MPSGraphTensorNamedDataLayout
  ) {
    self.init(
      strideInX: strideInX, strideInY: strideInY, dilationRateInX: dilationRateInX,
      dilationRateInY: dilationRateInY, groups: groups, paddingLeft: 0, paddingRight: 0,
      paddingTop: 0, paddingBottom: 0, paddingStyle: paddingStyle, dataLayout: dataLayout,
      weightsLayout: weightsLayout)
  }

  private var isSensible: Bool {
    min(strideInX, strideInY, dilationRateInX, dilationRateInY, groups) > 0
      && min(paddingLeft, paddingRight, paddingTop, paddingBottom) >= 0 && dataLayout.isOfImages
      && !weightsLayout.isOfImages
  }

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    MPSGraphConvolution2DOpDescriptor(
      strideInX: strideInX, strideInY: strideInY, dilationRateInX: dilationRateInX,
      dilationRateInY: dilationRateInY, groups: groups, paddingLeft: paddingLeft,
      paddingRight: paddingRight, paddingTop: paddingTop, paddingBottom: paddingBottom,
      paddingStyle: paddingStyle, dataLayout: dataLayout, weightsLayout: weightsLayout) as Any
  }

  var geometry: Geometry {
    Geometry(
      strides: (strideInX, strideInY), dilations: (dilationRateInX, dilationRateInY),
      left: paddingLeft, right: paddingRight, top: paddingTop, bottom: paddingBottom,
      style: paddingStyle)
  }
}

/// A depthwise convolution's window, padding and layouts.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphdepthwiseconvolution2dopdescriptor
open class MPSGraphDepthwiseConvolution2DOpDescriptor: MPSGraphObject, NSCopying {
  /// How far apart the windows are.
  open var strideInX = 1
  /// How far apart the windows are.
  open var strideInY = 1
  /// How far apart the window's pixels are.
  open var dilationRateInX = 1
  /// How far apart the window's pixels are.
  open var dilationRateInY = 1
  /// Zeros on the left, if padding is explicit.
  open var paddingLeft = 0
  /// Zeros on the right, if padding is explicit.
  open var paddingRight = 0
  /// Zeros above, if padding is explicit.
  open var paddingTop = 0
  /// Zeros below, if padding is explicit.
  open var paddingBottom = 0
  /// How padding is found.
  open var paddingStyle = MPSGraphPaddingStyle.explicit
  /// The order of images.
  open var dataLayout: MPSGraphTensorNamedDataLayout
  /// The order of weights; the outputs are those of one channel.
  open var weightsLayout: MPSGraphTensorNamedDataLayout

  /// With explicit padding; none if the numbers or layouts make no sense.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphdepthwiseconvolution2dopdescriptor/init(strideinx:strideiny:dilationrateinx:dilationrateiny:paddingleft:paddingright:paddingtop:paddingbottom:paddingstyle:datalayout:weightslayout:)
  public init?(
    strideInX: Int, strideInY: Int, dilationRateInX: Int, dilationRateInY: Int, paddingLeft: Int,
    paddingRight: Int, paddingTop: Int, paddingBottom: Int, paddingStyle: MPSGraphPaddingStyle,
    dataLayout: MPSGraphTensorNamedDataLayout, weightsLayout: MPSGraphTensorNamedDataLayout
  ) {
    self.dataLayout = dataLayout
    self.weightsLayout = weightsLayout
    super.init()
    (self.strideInX, self.strideInY) = (strideInX, strideInY)
    (self.dilationRateInX, self.dilationRateInY) = (dilationRateInX, dilationRateInY)
    (self.paddingLeft, self.paddingRight) = (paddingLeft, paddingRight)
    (self.paddingTop, self.paddingBottom) = (paddingTop, paddingBottom)
    self.paddingStyle = paddingStyle
    guard
      min(strideInX, strideInY, dilationRateInX, dilationRateInY) > 0,
      min(paddingLeft, paddingRight, paddingTop, paddingBottom) >= 0, dataLayout.isOfImages,
      !weightsLayout.isOfImages
    else { return nil }
  }

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    MPSGraphDepthwiseConvolution2DOpDescriptor(
      strideInX: strideInX, strideInY: strideInY, dilationRateInX: dilationRateInX,
      dilationRateInY: dilationRateInY, paddingLeft: paddingLeft, paddingRight: paddingRight,
      paddingTop: paddingTop, paddingBottom: paddingBottom, paddingStyle: paddingStyle,
      dataLayout: dataLayout, weightsLayout: weightsLayout) as Any
  }

  var geometry: Geometry {
    Geometry(
      strides: (strideInX, strideInY), dilations: (dilationRateInX, dilationRateInY),
      left: paddingLeft, right: paddingRight, top: paddingTop, bottom: paddingBottom,
      style: paddingStyle)
  }
}

/// A pooling's window, padding and layout.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphpooling2dopdescriptor
open class MPSGraphPooling2DOpDescriptor: MPSGraphObject, NSCopying {
  /// The window's width.
  open var kernelWidth: Int
  /// The window's height.
  open var kernelHeight: Int
  /// How far apart the windows are.
  open var strideInX = 1
  /// How far apart the windows are.
  open var strideInY = 1
  /// How far apart the window's pixels are.
  open var dilationRateInX = 1
  /// How far apart the window's pixels are.
  open var dilationRateInY = 1
  /// Padding on the left, if it is explicit.
  open var paddingLeft = 0
  /// Padding on the right, if it is explicit.
  open var paddingRight = 0
  /// Padding above, if it is explicit.
  open var paddingTop = 0
  /// Padding below, if it is explicit.
  open var paddingBottom = 0
  /// How padding is found.
  open var paddingStyle = MPSGraphPaddingStyle.explicit
  /// The order of images.
  open var dataLayout: MPSGraphTensorNamedDataLayout
  /// Whether padding counts as zeros in an average.
  open var includeZeroPadToAverage = false

  /// With explicit padding; none if the numbers or the layout make no sense.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphpooling2dopdescriptor/init(kernelwidth:kernelheight:strideinx:strideiny:dilationrateinx:dilationrateiny:paddingleft:paddingright:paddingtop:paddingbottom:paddingstyle:datalayout:)
  public init?(
    kernelWidth: Int, kernelHeight: Int, strideInX: Int, strideInY: Int, dilationRateInX: Int,
    dilationRateInY: Int, paddingLeft: Int, paddingRight: Int, paddingTop: Int, paddingBottom: Int,
    paddingStyle: MPSGraphPaddingStyle, dataLayout: MPSGraphTensorNamedDataLayout
  ) {
    (self.kernelWidth, self.kernelHeight) = (kernelWidth, kernelHeight)
    self.dataLayout = dataLayout
    super.init()
    (self.strideInX, self.strideInY) = (strideInX, strideInY)
    (self.dilationRateInX, self.dilationRateInY) = (dilationRateInX, dilationRateInY)
    (self.paddingLeft, self.paddingRight) = (paddingLeft, paddingRight)
    (self.paddingTop, self.paddingBottom) = (paddingTop, paddingBottom)
    self.paddingStyle = paddingStyle
    guard
      min(kernelWidth, kernelHeight, strideInX, strideInY) > 0,
      min(dilationRateInX, dilationRateInY) > 0,
      min(paddingLeft, paddingRight, paddingTop, paddingBottom) >= 0, dataLayout.isOfImages
    else { return nil }
  }

  /// Without explicit padding.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphpooling2dopdescriptor/init(kernelwidth:kernelheight:strideinx:strideiny:paddingstyle:datalayout:)
  public convenience init?(
    kernelWidth: Int, kernelHeight: Int, strideInX: Int, strideInY: Int,
    paddingStyle: MPSGraphPaddingStyle, dataLayout: MPSGraphTensorNamedDataLayout
  ) {
    self.init(
      kernelWidth: kernelWidth, kernelHeight: kernelHeight, strideInX: strideInX,
      strideInY: strideInY, dilationRateInX: 1, dilationRateInY: 1, paddingLeft: 0,
      paddingRight: 0, paddingTop: 0, paddingBottom: 0, paddingStyle: paddingStyle,
      dataLayout: dataLayout)
  }

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = MPSGraphPooling2DOpDescriptor(
      kernelWidth: kernelWidth, kernelHeight: kernelHeight, strideInX: strideInX,
      strideInY: strideInY, dilationRateInX: dilationRateInX, dilationRateInY: dilationRateInY,
      paddingLeft: paddingLeft, paddingRight: paddingRight, paddingTop: paddingTop,
      paddingBottom: paddingBottom, paddingStyle: paddingStyle, dataLayout: dataLayout)
    copy?.includeZeroPadToAverage = includeZeroPadToAverage
    return copy as Any
  }

  var geometry: Geometry {
    Geometry(
      strides: (strideInX, strideInY), dilations: (dilationRateInX, dilationRateInY),
      left: paddingLeft, right: paddingRight, top: paddingTop, bottom: paddingBottom,
      style: paddingStyle)
  }
}

/// Strides, dilations and padding of a descriptor when its operation was made.
struct Geometry {
  let strides: (x: Int, y: Int)
  let dilations: (x: Int, y: Int)
  let left: Int
  let right: Int
  let top: Int
  let bottom: Int
  let style: MPSGraphPaddingStyle

  func columns(_ width: Int) -> Slide {
    Slide(size: width, stride: strides.x, dilation: dilations.x)
  }

  func rows(_ height: Int) -> Slide {
    Slide(size: height, stride: strides.y, dilation: dilations.y)
  }

  func columnPadding(_ kernel: Int, source: Int) -> (before: Int, after: Int) {
    columns(kernel).padding(style, source: source, before: left, after: right)
  }

  func rowPadding(_ kernel: Int, source: Int) -> (before: Int, after: Int) {
    rows(kernel).padding(style, source: source, before: top, after: bottom)
  }

  /// The height and width of the result.
  func size(_ height: Int, _ width: Int, kernel: (height: Int, width: Int)) -> (Int, Int) {
    (
      rows(kernel.height).count(
        source: height, rowPadding(kernel.height, source: height)),
      columns(kernel.width).count(
        source: width, columnPadding(kernel.width, source: width))
    )
  }
}
