"""Thirty things that a user of python-chess writes, with ours beside them: the source of docs/guide/python-chess.md.

Each is a purpose, the expression with `import chess, chess.pgn, chess.polyglot`, and the one with `import halfmove as chess`;
`None` where the same expression does it.
"""

from __future__ import annotations

from typing import NamedTuple


class Thing(NamedTuple):
    purpose: str
    theirs: str
    ours: str | None = None


EVERY_GAME = "iter(lambda: chess.pgn.read_game(file), None)"

THINGS = [
    Thing("the start", "chess.Board().fen()"),
    Thing("a position", 'chess.Board("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1").is_check()'),
    Thing("legal moves", "sorted(move.uci() for move in board.legal_moves)"),
    Thing("their number", "board.legal_moves.count()", "len(board.legal_moves)"),
    Thing("is it legal?", 'chess.Move.from_uci("g1f3") in board.legal_moves'),
    Thing("a move in SAN", 'board.san(chess.Move.from_uci("g1f3"))'),
    Thing("SAN to a move", 'board.parse_san("Nf3").uci()'),
    Thing("play a line", '[board.push_san(san).uci() for san in ["Nf3", "Nc6", "Bb5"]]'),
    Thing("play and take back", 'board.push_uci("g1f3").uci(), board.pop().uci(), board.fen()'),
    Thing("whose turn", "board.turn == chess.WHITE, board.fullmove_number, board.halfmove_clock, board.ply()"),
    Thing("a piece", "board.piece_at(chess.E4).symbol(), board.piece_type_at(chess.E5) == chess.PAWN"),
    Thing("all pieces", "{chess.square_name(square): piece.symbol() for square, piece in board.piece_map().items()}"),
    Thing("pieces of a kind", "list(board.pieces(chess.KNIGHT, chess.WHITE)), board.king(chess.BLACK)"),
    Thing("attackers", "list(board.attackers(chess.WHITE, chess.F3)), list(board.attacks(chess.D1))"),
    Thing("mate, stalemate", "board.is_checkmate(), board.is_stalemate(), board.is_insufficient_material()"),
    Thing(
        "why it is over",
        "mate.outcome().termination.name.lower(), mate.outcome().winner, mate.result()",
        "mate.outcome().termination, mate.outcome().winner, mate.result()",
    ),
    Thing("kinds of moves", 'board.is_capture(board.parse_san("Nf3")), board.is_zeroing(board.parse_san("d4"))'),
    Thing("castling rights", "board.has_kingside_castling_rights(chess.WHITE), board.ep_square"),
    Thing("draw it", "str(board)"),
    Thing("copy, mirror", "board.copy() == board, board.mirror().fen()"),
    Thing(
        "Chess960",
        'chess.Board("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1", chess960=True).parse_san("O-O-O").uci()',
    ),
    Thing("Polyglot's key", "chess.polyglot.zobrist_hash(board)", "board.zobrist_hash()"),
    Thing(
        "perft",
        "sum((board.push(move), board.legal_moves.count(), board.pop())[1] for move in list(board.legal_moves))",
        "board.perft(2)",
    ),
    Thing("the first game of a file", 'chess.pgn.read_game(file).headers["White"]'),
    Thing("its moves", "[node.san() for node in chess.pgn.read_game(file).mainline()]"),
    Thing(
        "comments, clocks, glyphs",
        "[(node.comment, node.clock(), sorted(node.nags)) for node in chess.pgn.read_game(file).mainline()]",
    ),
    Thing("variations", "chess.pgn.read_game(file).next().next().variations[1].move.uci()"),
    Thing(
        "results of a file",
        f'collections.Counter(game.headers["Result"] for game in {EVERY_GAME})',
        'collections.Counter(game.headers["Result"] for game in chess.pgn.read_games("season.pgn"))',
    ),
    Thing(
        "games that reach a position",
        f"sum(any(node.board().epd() == epd for node in game.mainline()) for game in {EVERY_GAME})",
        "club.count(fen=epd)",
    ),
    Thing(
        "replies to 1. e4",
        f"collections.Counter(game.next().next().san() for game in {EVERY_GAME})",
        '(lambda tree: dict(zip(tree["san"], tree["games"])))(club.explore(moves="e4"))',
    ),
]

# The public names of python-chess that are missing here, by the type or module they belong to; the guide has them in groups.
MISSING = {
    "chess": """
        BaseBoard LegalMoveGenerator PseudoLegalMoveGenerator Status Termination
        shift_2_down shift_2_left shift_2_right shift_2_up
    """,
    "Board": """
        apply_mirror apply_transform clean_castling_rights clear clear_board empty remove_piece_at reset_board
        set_board_fen set_castling_fen set_chess960_pos set_epd set_piece_at set_piece_map status transform
        generate_castling_moves generate_legal_ep generate_pseudo_legal_captures generate_pseudo_legal_ep
        generate_pseudo_legal_moves is_pseudo_legal pseudo_legal_moves was_into_check
        can_claim_fifty_moves can_claim_threefold_repetition
        castling_shredder_fen castling_xfen has_chess960_castling_rights parse_xboard push_xboard shredder_fen xboard
        aliases captures_compulsory connected_kings is_variant_draw is_variant_end is_variant_loss is_variant_win
        one_king starting_fen uci_variant xboard_variant
        pawnless_tbw_magic pawnless_tbw_suffix pawnless_tbz_magic pawnless_tbz_suffix
        tbw_magic tbw_suffix tbz_magic tbz_suffix
        promoted
    """,
    "Move": "drop xboard",
    "Piece": "",
    "SquareSet": """
        add carry_rippler clear difference_update discard intersection_update pop remove
        symmetric_difference_update update
    """,
    "Outcome": "",
    "chess.pgn": """
        BaseVisitor BoardBuilder GameBuilder HeadersBuilder SKIP SkipType SkipVisitor StringExporterMixin
        Mainline TAG_ROSTER TimeControl TimeControlPart TimeControlType parse_time_control
    """,
    "Game": "accept_subgame builder time_control",
    "ChildNode": "accept accept_subgame",
    "Headers": "board builder is_chess960 is_wild variant",
}

# The parameters of python-chess that functions and methods do not have here, and why.
OTHER_PARAMETERS = {
    "chess.popcount": ("", "the argument of int.bit_count has no name"),
    "Board.board_fen": ("promoted", "promoted pieces are like others"),
    "Board.fen": ("shredder promoted", "rights in other forms are read, not written"),
    "Board.epd": ("shredder promoted", "as with fen"),
    "Board.uci": ("chess960", "the board knows its game"),
    "ChildNode.uci": ("chess960", "the board knows its game"),
    "chess.pgn.read_game": ("Visitor", "there are no visitors"),
}
