//! Linear least squares and recursive interval splitting.
