/// The files of a package with MPSGraph that are the same for all networks, but for `NAME`, and for which functions
/// they have.
enum MPSGraphTemplates {}
