import Operators

// Types of other modules that layers use, so that `import ModelDSL` is sufficient.

/// An activation function.
public typealias ActivationFunction = Operators.ActivationFunction

/// An interpolation method for resizing images.
public typealias Interpolation = Operators.Interpolation

/// The padding around an input that windows extend over.
public typealias Padding = Operators.Padding

/// An output of a recurrent layer.
public typealias RecurrentResult = Operators.RecurrentResult

/// One or more axes.
public typealias AxisList = Operators.AxisList
