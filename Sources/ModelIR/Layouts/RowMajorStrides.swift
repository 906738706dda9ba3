/// Returns the row-major strides of an array of this shape; the last axis is the fastest.
package func rowMajorStrides(of shape: [Int]) -> [Int] {
  var strides = shape
  var stride = 1
  for axis in shape.indices.reversed() {
    strides[axis] = stride
    stride *= shape[axis]
  }
  return strides
}
