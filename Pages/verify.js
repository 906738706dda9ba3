// Not drawn yet.
