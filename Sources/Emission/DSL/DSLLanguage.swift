import ModelIR

extension EmittedLanguage {
  /// The model language: a Swift function that builds the model.
  package static let dsl = EmittedLanguage.text(
    TextLanguage(
      name: "dsl",
      help: """
        a Swift function that builds the same network with the layers of
        ModelDSL; where its parameters come from is an argument. No weight is read.
        """
    ) { model, source, function throws(NetconvError) in
      try DSLSource(model.separated, from: source, function: function).text
    })
}
