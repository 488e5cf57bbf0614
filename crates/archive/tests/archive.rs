//! The archive as a whole.
