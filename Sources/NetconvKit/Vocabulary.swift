import Documents
import Execution
import Transforms

// The types of other modules that requests are made of, so that `import NetconvKit` is enough.

/// What runs a model.
public typealias EngineKind = Execution.EngineKind

/// The precision that a model is computed in.
public typealias Precision = Execution.Precision

/// A container that tensors can be written to.
public typealias OutputFormat = Documents.OutputFormat

/// A consumer of weights.
public typealias Target = Transforms.Target
