#!/usr/bin/env python3
"""Compute with python-chess what functions of SQL say of games, as TSV.

    zstd -dc masters.pgn.zst | ./functions.py --every 20 > functions_masters.tsv

Reads PGN on stdin as latin-1. The heading of a column is the expression in SQL; a null is empty.
"""

import argparse
import io
import sys

import chess
import chess.pgn

SIDES = {"white": chess.WHITE, "black": chess.BLACK}


class Played:
    """The half-moves of a game, each with the board before it, and the last board."""

    def __init__(self, game):
        self.boards = [game.board()]
        self.moves = list(game.mainline_moves())
        for move in self.moves:
            board = self.boards[-1].copy(stack=False)
            board.push(move)
            self.boards.append(board)
        self.before = list(zip(self.boards, self.moves))

    def count(self, condition, side=None):
        return sum(bool(condition(board, move)) for board, move in self.before if side in (None, board.turn))

    def moved(self, letter, side=None):
        kind = chess.Piece.from_symbol(letter).piece_type
        return self.count(lambda board, move: board.piece_type_at(move.from_square) == kind, side)

    def captures(self, side=None):
        return self.count(chess.Board.is_capture, side)

    def checks(self, side=None):
        return self.count(chess.Board.gives_check, side)

    def promotions(self, side=None):
        return self.count(lambda board, move: move.promotion, side)

    def castled(self, side):
        for board, move in self.before:
            if board.turn == side and board.is_castling(move):
                return "O-O" if board.is_kingside_castling(move) else "O-O-O"
        return ""

    def ended(self):
        last = self.boards[-1]
        if last.is_checkmate():
            return "checkmate"
        if last.is_stalemate():
            return "stalemate"
        return "insufficient_material" if last.is_insufficient_material() else ""

    def move_at(self, number):
        if not 0 < abs(number) <= len(self.moves):
            return ""
        board, move = self.before[number if number < 0 else number - 1]
        return board.san(move)

    def fen_at(self, ply):
        return self.boards[ply].fen() if ply < len(self.boards) else ""

    def san(self, number):
        return self.boards[0].variation_san(self.moves[:number])

    def uci(self, number):
        return " ".join(board.uci(move) for board, move in self.before[:number])


COLUMNS = {
    "plies(moves)": lambda game: len(game.moves),
    **{f"moved(moves, '{letter}')": lambda game, letter=letter: game.moved(letter) for letter in "PNBRQK"},
    "moved(moves, 'Q', 'white')": lambda game: game.moved("Q", chess.WHITE),
    "moved(moves, 'P', 'black')": lambda game: game.moved("P", chess.BLACK),
    "captures(moves)": lambda game: game.captures(),
    "checks(moves)": lambda game: game.checks(),
    **{f"captures(moves, '{name}')": lambda game, side=side: game.captures(side) for name, side in SIDES.items()},
    **{f"checks(moves, '{name}')": lambda game, side=side: game.checks(side) for name, side in SIDES.items()},
    **{f"castled(moves, '{name}')": lambda game, side=side: game.castled(side) for name, side in SIDES.items()},
    **{f"promotions(moves, '{name}')": lambda game, side=side: game.promotions(side) for name, side in SIDES.items()},
    "ended(moves)": lambda game: game.ended(),
    "move_at(moves, 25)": lambda game: game.move_at(25),
    "move_at(moves, 60)": lambda game: game.move_at(60),
    "move_at(moves, -1)": lambda game: game.move_at(-1),
    "fen_at(moves, 30)": lambda game: game.fen_at(30),
    "san(moves, 6)": lambda game: game.san(6),
    "uci(moves, 6)": lambda game: game.uci(6),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="only the games whose number this divides")
    args = parser.parse_args()
    pgn = io.TextIOWrapper(sys.stdin.buffer, encoding="latin-1")
    print("id", *COLUMNS, sep="\t")
    number = 1
    while True:
        if number % args.every:
            if not chess.pgn.skip_game(pgn):
                break
        else:
            game = chess.pgn.read_game(pgn)
            if game is None:
                break
            played = Played(game)
            print(number, *(value(played) for value in COLUMNS.values()), sep="\t")
        number += 1


if __name__ == "__main__":
    main()
