import ModelIR
import Operators

/// Source: keras/src/layers/merging/add.py.
enum KerasAdd: KerasLayerMapping {
  static let classNames = ["Add"]

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Add()
  }
}
