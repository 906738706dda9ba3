/// The files of a package with MPSCNN that are the same for all networks, but for `NAME`.
enum MPSCNNTemplates {}
