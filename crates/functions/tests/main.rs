//! The functions, called without any engine on ten small games.

#[path = "functions/aggregates.rs"]
mod aggregates;
#[path = "functions/arguments.rs"]
mod arguments;
#[path = "functions/call.rs"]
mod call;
#[path = "functions/examples.rs"]
mod examples;
#[path = "functions/games.rs"]
mod games;
#[path = "functions/halfmoves.rs"]
mod halfmoves;
#[path = "functions/null_moves.rs"]
mod null_moves;
#[path = "functions/pages.rs"]
mod pages;

type Outcome = Result<(), Box<dyn std::error::Error>>;
