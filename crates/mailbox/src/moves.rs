//! Moves: listed, played, and as text (the source's folder `moves/`). Imports the board, the pieces, the state and the
//! rules.

mod execution;
mod generation;
mod notation;
