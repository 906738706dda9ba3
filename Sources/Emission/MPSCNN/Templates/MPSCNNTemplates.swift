/// The files of a package that are the same for all networks, but for `NAME`.
enum MPSCNNTemplates {}
