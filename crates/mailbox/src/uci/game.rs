//! A position of any of the games, from the command `position`.

use halfmove_mailbox::{Chess, CountingPolicy, Dialect, Game, Makruk, Rules, State};
use halfmove_rules::{CastlingSide, CastlingStyle, File};

/// A game in the option `UCI_Variant`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    Chess,
    Kin(Rules),
}

impl Variant {
    pub(super) const ALL: [Self; 4] =
        [Self::Chess, Self::Kin(Rules::Makruk), Self::Kin(Rules::Makpong), Self::Kin(Rules::Asean)];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Kin(Rules::Makruk) => "makruk",
            Self::Kin(Rules::Makpong) => "makpong",
            Self::Kin(Rules::Asean) => "asean",
        }
    }

    pub(super) fn start(self) -> AnyGame {
        match self {
            Self::Chess => AnyGame::Chess(Chess::default()),
            // As Fairy-Stockfish counts, since a GUI sends no claims.
            Self::Kin(rules) => AnyGame::Makruk(Makruk::start(rules, CountingPolicy::Auto)),
        }
    }
}

/// A position with its history.
#[derive(Clone, Debug)]
pub(super) enum AnyGame {
    Chess(Chess),
    Makruk(Makruk),
}

impl AnyGame {
    /// Reads the words after `position`. A FEN of Makruk may be Fairy-Stockfish's or the source's.
    ///
    /// # Errors
    /// A sentence with the reason.
    pub(super) fn read(
        words: &[&str],
        variant: Variant,
        castling: CastlingStyle,
    ) -> Result<Self, String> {
        let moves_at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (place, moves) = words.split_at(moves_at);
        let moves = moves.get(1..).unwrap_or_default();
        let start = match place {
            ["startpos"] => variant.start(),
            ["fen", fields @ ..] => Self::from_fen(&fields.join(" "), variant)?,
            _ => return Err("position: expected startpos or fen".to_owned()),
        };
        if let Self::Chess(state) = &start
            && castling == CastlingStyle::KingToTarget
            && has_chess960_rights(state)
        {
            // f1g1 could be a step of the king as well as castling.
            return Err("position: these castling rights are those of Chess960, which needs \
                        `setoption name UCI_Chess960 value true`"
                .to_owned());
        }
        Ok(match start {
            Self::Chess(state) => Self::Chess(play(state, moves, castling)?),
            Self::Makruk(state) => Self::Makruk(play(state, moves, castling)?),
        })
    }

    fn from_fen(text: &str, variant: Variant) -> Result<Self, String> {
        match variant {
            Variant::Chess => Chess::from_fen(text).map(Self::Chess).map_err(|e| e.to_string()),
            Variant::Kin(rules) => {
                let dialect = Dialect::of_fen(text);
                let state = Makruk::from_fen(text, rules, dialect, CountingPolicy::Auto);
                state.map(Self::Makruk).map_err(|e| e.to_string())
            }
        }
    }

    /// The FEN, in Makruk in both dialects.
    pub(super) fn fens(&self) -> String {
        match self {
            Self::Chess(state) => format!("Fen: {}", state.to_fen()),
            Self::Makruk(state) => {
                let [fairy, source] =
                    [Dialect::Fairy, Dialect::MakrukJs].map(|dialect| state.to_fen(dialect));
                format!("Fen: {fairy}\nFen, makruk-js: {source}")
            }
        }
    }
}

/// Returns true if a king that may castle is not on the e-file, or its rook not in the corner.
fn has_chess960_rights(state: &Chess) -> bool {
    let setup = state.to_setup();
    setup.castling.iter().any(|(color, side, rook)| {
        let corner = match side {
            CastlingSide::KingSide => File::H,
            CastlingSide::QueenSide => File::A,
        };
        let king = setup.board.king(color);
        rook.file() != corner || king.is_none_or(|king| king.file() != File::E)
    })
}

fn play<G: Game>(
    mut state: State<G>,
    moves: &[&str],
    castling: CastlingStyle,
) -> Result<State<G>, String> {
    for text in moves {
        let mv = state.parse_uci(text, castling).map_err(|error| format!("{text}: {error}"))?;
        state = state.play_unchecked(mv);
    }
    Ok(state)
}
