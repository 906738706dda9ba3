import Documents
import Emission
import Execution
import Readers
import Transforms

// The types of other modules that requests are made of, so that `import NetconvKit` is enough.

/// What runs a model.
public typealias EngineKind = Execution.EngineKind

/// The precision that a model is computed in.
public typealias Precision = Execution.Precision

/// A graph for weights that have none, and how the two come together.
public typealias Architecture = Readers.Architecture

/// A first `model.json` for weights without a graph.
public typealias GraphScaffold = Readers.GraphScaffold

/// A container that tensors can be written to.
public typealias OutputFormat = Documents.OutputFormat

/// A consumer of weights.
public typealias Target = Transforms.Target

/// A language that models can be written in.
public typealias EmittedLanguage = Emission.EmittedLanguage

/// What a request can say of how a model is written.
public typealias EmitOption = Emission.EmitOption
