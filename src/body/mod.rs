//! How arguments are written: shared by the syntaxes.
