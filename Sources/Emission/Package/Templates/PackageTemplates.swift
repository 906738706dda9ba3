/// The files that packages have in every language, and parts of files; `NAME` stands for the package's name.
enum PackageTemplates {}
