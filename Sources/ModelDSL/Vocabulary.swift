import Operators

// The types of other modules that layers are made of, so that `import ModelDSL` is enough.

/// What a layer applies to its values.
public typealias ActivationFunction = Operators.ActivationFunction

/// How the pixels of an image of another size come about.
public typealias Interpolation = Operators.Interpolation

/// What lies outside of an image when a window reaches over its edge.
public typealias Padding = Operators.Padding

/// What a recurrent layer gives.
public typealias RecurrentResult = Operators.RecurrentResult

/// One axis or several.
public typealias AxisList = Operators.AxisList
