//! One game as a flat tree: nodes in the order of the text, each with the number of its parent. So the response is not
//! nested, even if variations are.

use axum::Json;
use axum::extract::{Path, State as Extract};
use halfmove_archive::StoredGame;
use halfmove_game::pgn::Nag;
use halfmove_game::{Comment, Event, Game, Part, Score, openings};
use halfmove_rules::{AnyPosition, Makruk};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::Answer;
use super::position::{Count, Named};
use crate::parameters::{ARCHIVE, QueryParameters, parameters, square_uci};
use crate::problem::Problem;
use crate::state::State;

/// A game
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Tree {
    archive: String,
    id: i64,
    variant: &'static str,
    /// Of two tags with one name, the first
    #[schema(value_type = BTreeMap<String, String>)]
    tags: Map<String, Value>,
    result: Option<String>,
    /// The half-moves of the main line
    plies: usize,
    /// The reason why the moves end early
    fault: Option<String>,
    opening: Option<Named>,
    /// The start
    fen: String,
    /// The start and all moves, in the order of the text. The first child of a node continues its line, the others begin
    /// variations
    nodes: Vec<Node>,
    /// Comments after the result
    after: Vec<String>,
}

/// A move, or the start
#[derive(Debug, Default, Serialize, ToSchema)]
struct Node {
    /// The index of the node before it; null for the start
    parent: Option<usize>,
    ply: usize,
    /// True if it belongs to the main line
    main: bool,
    /// Castling in chess is e1g1, in Chess960 king takes rook; a null move is 0000
    uci: Option<String>,
    san: Option<String>,
    /// The position after it
    fen: String,
    check: bool,
    nags: Vec<Glyph>,
    comments: Vec<String>,
    /// Comments before the first move of a variation
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    /// The time left, in seconds
    clock: Option<f64>,
    /// The time that the move took, in seconds
    elapsed: Option<f64>,
    evaluation: Option<Evaluation>,
    arrows: Vec<Arrow>,
    squares: Vec<Circle>,
    counting: Option<Count>,
    /// Words in place of moves that could not be played
    words: Vec<String>,
}

/// A glyph
#[derive(Debug, Serialize, ToSchema)]
struct Glyph {
    number: u32,
    /// `!`, `?!`, `+-` …
    symbol: Option<&'static str>,
}

/// An evaluation from White's side: in centipawns, or the moves to mate
#[derive(Debug, Serialize, ToSchema)]
struct Evaluation {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    cp: Option<i32>,
    /// Negative if Black mates
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mate: Option<i32>,
}

/// An arrow
#[derive(Debug, Serialize, ToSchema)]
struct Arrow {
    /// G, R, Y or B
    color: String,
    from: String,
    to: String,
}

/// A colored square
#[derive(Debug, Serialize, ToSchema)]
struct Circle {
    /// G, R, Y or B
    color: String,
    square: String,
}

/// The maximum number of nodes of a response, each of which has a FEN. Larger games are megabytes of text.
const MAX_NODES: usize = 200_000;

parameters!(GameParameters: ARCHIVE);

/// One game with all its variations, comments and marks
#[utoipa::path(get, path = "/api/games/{id}", params(("id" = i64, Path, description = "The id of the game"), GameParameters), responses((status = 200, body = Tree), (status = 404, body = Problem)))]
pub(super) async fn game(
    Extract(state): Extract<State>,
    Path(id): Path<String>,
    mut parameters: QueryParameters,
) -> Answer<Tree> {
    let id = id_of(&id)?;
    let number = super::archive(&mut parameters, &state.archives)?;
    parameters.end()?;
    let name = state.archives.name(number).to_owned();
    let tree = state.ask(number, move |archive| tree(name, &archive.game(id)?));
    tree.await.map(Json)
}

/// The id of a game in a path.
pub(super) fn id_of(text: &str) -> Result<i64, Problem> {
    text.parse().map_err(|_| Problem::parameter("id", format!("\"{text}\": expected a number")))
}

fn tree(archive: String, stored: &StoredGame) -> Result<Tree, Problem> {
    let game = &stored.game;
    let mut tags = Map::new();
    for (name, value) in game.tags.iter() {
        tags.entry(name).or_insert_with(|| value.into());
    }
    let (nodes, after) = Walker::default().nodes(game).ok_or_else(|| {
        let status = axum::http::StatusCode::PAYLOAD_TOO_LARGE;
        Problem::new(
            status,
            format!("the game has more than {MAX_NODES} moves with those of its variations"),
        )
        .with_hint("its PGN has no such limit: /api/games/ID/pgn")
    })?;
    let opening = game.chess_start().and_then(|start| openings::of_moves(start, &game.moves));
    Ok(Tree {
        archive,
        id: stored.id,
        variant: game.start.variant().name(),
        tags,
        result: game.result.map(|result| result.to_string()),
        plies: game.moves.len(),
        fault: stored.fault.clone(),
        opening: opening.map(Named::from),
        fen: game.start.to_string(),
        nodes,
        after,
    })
}

/// A line around the current variation: its last node, and true if a word follows it.
type Around = (usize, bool);

/// Collects the nodes of a game.
#[derive(Default)]
struct Walker {
    nodes: Vec<Node>,
    /// The last node of the current line, and true if a word that is no move follows it.
    here: Around,
    around: Vec<Around>,
    /// Comments at the beginning of a variation, before its first move.
    before: Vec<String>,
    is_fresh: bool,
    /// True if the last node has no position yet.
    is_pending: bool,
}

impl Walker {
    /// The nodes, and the comments after the result; `None` if there are too many.
    fn nodes(mut self, game: &Game) -> Option<(Vec<Node>, Vec<String>)> {
        self.nodes.push(Node { main: true, ..Node::default() });
        self.is_pending = true;
        let (mut after, mut is_over) = (Vec::new(), false);
        let mut walk = game.walk();
        while let Some((event, position)) = walk.step() {
            if matches!(event, Event::Tag(..)) {
                continue;
            }
            if matches!(event, Event::CountCall(_)) {
                // The position of the last move is that after the call.
                continue;
            }
            self.settle(position);
            match event {
                Event::Move(mv) => {
                    let (uci, san) = (square_uci(position, mv), position.san(mv).to_string());
                    self.push(uci, san)?;
                }
                Event::NullMove(text) => self.push("0000".to_owned(), text.to_owned())?,
                Event::Word(word) => {
                    self.last().words.push(word.to_owned());
                    self.here.1 = true;
                }
                Event::Nag(nag) => self.last().nags.push(glyph(nag)),
                Event::Comment(comment) if is_over => after.extend(text_of(comment)),
                Event::Comment(comment) if self.is_fresh => self.before.extend(text_of(comment)),
                Event::Comment(comment) => annotate(self.last(), comment),
                Event::BeginVariation => {
                    let (node, has_word) = self.here;
                    self.around.push(self.here);
                    let parent = self.nodes[node].parent.filter(|_| !has_word);
                    self.here = (parent.unwrap_or(node), false);
                    self.is_fresh = true;
                }
                Event::EndVariation => {
                    self.here = self.around.pop().unwrap_or(self.here);
                    (self.is_fresh, self.before) = (false, Vec::new());
                }
                Event::Result(_) => is_over = true,
                _ => {}
            }
        }
        self.settle(&game.final_position());
        Some((self.nodes, after))
    }

    fn last(&mut self) -> &mut Node {
        &mut self.nodes[self.here.0]
    }

    fn push(&mut self, uci: String, san: String) -> Option<()> {
        if self.nodes.len() > MAX_NODES {
            return None;
        }
        let parent = self.here.0;
        self.nodes.push(Node {
            parent: Some(parent),
            ply: self.nodes[parent].ply + 1,
            main: self.around.is_empty(),
            uci: Some(uci),
            san: Some(san),
            before: std::mem::take(&mut self.before),
            ..Node::default()
        });
        self.here = (self.nodes.len() - 1, false);
        (self.is_fresh, self.is_pending) = (false, true);
        Some(())
    }

    /// Writes the position after the last move.
    fn settle(&mut self, position: &AnyPosition) {
        if !std::mem::take(&mut self.is_pending) {
            return;
        }
        if let Some(node) = self.nodes.last_mut() {
            node.fen = position.to_string();
            node.check = position.is_check();
            node.counting = position.as_makruk().and_then(Makruk::counting).map(Count::from);
        }
    }
}

fn text_of(comment: Comment<'_>) -> Option<String> {
    let text = comment.text();
    (!text.is_empty()).then(|| text.into_owned())
}

fn annotate(node: &mut Node, comment: Comment<'_>) {
    node.comments.extend(text_of(comment));
    node.clock = node.clock.or(comment.clock().map(|clock| clock.seconds()));
    node.elapsed = node.elapsed.or(comment.elapsed().map(|clock| clock.seconds()));
    if node.evaluation.is_none() {
        node.evaluation = comment.evaluation().map(|evaluation| match evaluation.score() {
            Score::Centipawns(cp) => Evaluation { cp: Some(cp), mate: None },
            Score::Mate(moves) => Evaluation { cp: None, mate: Some(moves) },
        });
    }
    for part in comment.parts() {
        match part {
            Part::Arrows(arrows) => node.arrows.extend(arrows.iter().map(|arrow| Arrow {
                color: arrow.color.letter().to_string(),
                from: arrow.from.to_string(),
                to: arrow.to.to_string(),
            })),
            Part::Squares(squares) => node.squares.extend(squares.iter().map(|colored| Circle {
                color: colored.color.letter().to_string(),
                square: colored.square.to_string(),
            })),
            _ => {}
        }
    }
}

fn glyph(nag: Nag) -> Glyph {
    Glyph { number: nag.number(), symbol: nag.symbol() }
}

#[cfg(test)]
mod tests {
    use super::{Node, Walker};
    use halfmove_game::pgn::read_game;

    fn nodes(text: &str) -> (Vec<Node>, Vec<String>) {
        Walker::default().nodes(&read_game(text).unwrap()).unwrap()
    }

    #[test]
    fn a_game_is_a_flat_tree() {
        let text = "{hello} 1. e4 {[%clk 0:09:58] [%eval 0.3] [%cal Gg1f3] [%csl Ra4] best} e5 $1 \
                    ({or} 1... c5 {sharp} 2. Nf3 (2. c3 d5) d6 $6) (1... e6) 2. Nf3 * {end}";
        let (nodes, after) = nodes(text);
        let shape: Vec<_> = nodes
            .iter()
            .map(|node| (node.parent, node.san.as_deref().unwrap_or(""), node.main))
            .collect();
        assert_eq!(
            shape,
            [
                (None, "", true),
                (Some(0), "e4", true),
                (Some(1), "e5", true),
                (Some(1), "c5", false),
                (Some(3), "Nf3", false),
                (Some(3), "c3", false),
                (Some(5), "d5", false),
                (Some(4), "d6", false),
                (Some(1), "e6", false),
                (Some(2), "Nf3", true),
            ]
        );
        assert_eq!(nodes[0].comments, ["hello"]);
        assert_eq!(
            (nodes[1].clock, &nodes[1].comments[..]),
            (Some(598.0), &["best".to_owned()][..])
        );
        assert_eq!(
            nodes[1].evaluation.as_ref().map(|evaluation| (evaluation.cp, evaluation.mate)),
            Some((Some(30), None))
        );
        assert_eq!(nodes[1].arrows[0].to, "f3");
        assert_eq!(nodes[1].squares[0].square, "a4");
        assert_eq!(nodes[2].nags[0].symbol, Some("!"));
        assert_eq!(
            (&nodes[3].before[..], &nodes[3].comments[..]),
            (&["or".to_owned()][..], &["sharp".to_owned()][..])
        );
        assert_eq!(after, ["end"]);
        for node in &nodes {
            assert!(node.fen.split(' ').count() == 6, "{node:?}");
            let plies = node.parent.map_or(0, |parent| nodes[parent].ply + 1);
            assert_eq!(node.ply, plies);
        }
        assert!(nodes[6].fen.contains(" w "), "after 2... d5");
    }

    /// Deep nesting does not recurse.
    #[test]
    fn any_depth() {
        let text = format!("1. e4 {}{} *", "(1. d4 ".repeat(20_000), ")".repeat(20_000));
        assert_eq!(nodes(&text).0.len(), 20_002);
    }
}
