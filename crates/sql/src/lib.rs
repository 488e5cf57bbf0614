//! SQL over an archive of games.
