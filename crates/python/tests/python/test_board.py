"""Boards and moves: Python's manners, Chess960, Makruk, errors."""

import copy
import pickle
import unittest

import halfmove
from halfmove import Board, Move


class Boards(unittest.TestCase):
    def test_push_and_pop(self):
        board = Board()
        for san in ["e4", "e5", "Nf3"]:
            board.push_san(san)
        self.assertEqual([move.uci() for move in board.move_stack], ["e2e4", "e7e5", "g1f3"])
        self.assertEqual(board.pop().uci(), "g1f3")
        self.assertEqual(board.peek().uci(), "e7e5")
        self.assertEqual(board.root(), Board())
        board.push(Move.from_uci("f2f4"))
        self.assertEqual(board.fen(), "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2")
        with self.assertRaises(IndexError):
            Board().pop()

    def test_errors_are_value_errors_of_their_kinds(self):
        with self.assertRaisesRegex(halfmove.IllegalMoveError, "Ke3"):
            Board().push_san("Ke3")
        with self.assertRaises(halfmove.InvalidMoveError):
            Board().push_san("xyz")
        with self.assertRaises(halfmove.AmbiguousMoveError):
            Board("k7/8/8/8/1N6/8/8/N6K w - - 0 1").parse_san("Nc2")
        with self.assertRaises(halfmove.InvalidMoveError):
            Move.from_uci("e9e4")
        for wrong in ["", "x", "8/8/8/8/8/8/8/8 w - - 0 1"]:
            with self.assertRaisesRegex(ValueError, "FEN"):
                Board(wrong)
        with self.assertRaises(halfmove.IllegalMoveError):
            Board().push(Move.from_uci("e2e5"))
        with self.assertRaises(ValueError):
            Board().piece_at(64)
        self.assertTrue(issubclass(halfmove.IllegalMoveError, ValueError))

    def test_null_moves(self):
        board = Board()
        board.push(Move.null())
        self.assertFalse(board.turn)
        self.assertFalse(board.pop())
        board.push_uci("0000")
        self.assertEqual(board.peek(), Move.null())
        self.assertNotIn(Move.null(), Board().legal_moves)

    def test_chess960_and_castling(self):
        text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
        board = Board(text)
        self.assertEqual(board.parse_san("O-O").uci(), "e1g1")
        self.assertTrue(board.is_castling(Move.from_uci("e1g1")))
        self.assertFalse(board.is_capture(Move.from_uci("e1g1")))
        board.push_uci("e1c1")
        self.assertEqual(board.board_fen(), "r3k2r/8/8/8/8/8/8/2KR3R")
        other = Board(text, chess960=True)
        self.assertEqual(other.parse_san("O-O").uci(), "e1h1")
        self.assertEqual((other.variant, other.chess960), ("chess960", True))
        other.push_uci("e1h1")
        self.assertEqual(other.pop().uci(), "e1h1")

    def test_makruk(self):
        board = Board(variant="makruk")
        self.assertEqual(len(board.legal_moves), 23)
        self.assertEqual(board.piece_at(halfmove.D1), halfmove.Piece(halfmove.KING, halfmove.WHITE))
        self.assertEqual(board.piece_type_at(halfmove.C1), halfmove.KHON)
        self.assertEqual(sorted(board.attackers(halfmove.WHITE, halfmove.C2)), [halfmove.C1, halfmove.D1])
        for san in ["e4", "e5"]:
            board.push_san(san)
        self.assertEqual(pickle.loads(pickle.dumps(board)).move_stack, board.move_stack)

    def test_python_manners(self):
        board = Board()
        board.push_san("e4")
        for twin in [copy.copy(board), copy.deepcopy(board), board.copy(), pickle.loads(pickle.dumps(board))]:
            self.assertEqual(twin, board)
            self.assertEqual(twin.move_stack, board.move_stack)
            twin.push_san("e5")
            self.assertNotEqual(twin, board)
        self.assertEqual(board.copy(stack=False).move_stack, [])
        with self.assertRaises(TypeError):
            hash(board)
        move = Move(halfmove.E7, halfmove.E8, halfmove.QUEEN)
        self.assertEqual(len({move, Move.from_uci("e7e8q"), pickle.loads(pickle.dumps(move))}), 1)
        self.assertNotEqual(board, "a text")
        self.assertTrue(repr(board).splitlines()[0] == "r n b q k b n r")
        self.assertTrue(repr(board).endswith("Board('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1')"))

    def test_pictures(self):
        board = Board()
        board.push_san("e4")
        picture = board._repr_svg_()
        self.assertEqual(picture.count("<text "), 32)
        # Both squares of the last move.
        self.assertEqual(picture.count("#cdd16a") + picture.count("#aaa23b"), 2)
        picture = halfmove.svg(Board(variant="makruk"), arrows=[(12, 28), (0, 63)], orientation=halfmove.BLACK)
        self.assertEqual((picture.count("<line "), picture.count(">S</text>")), (2, 4))

    def test_ends(self):
        board = Board()
        for _ in range(2):
            for uci in ["g1f3", "g8f6", "f3g1", "f6g8"]:
                board.push_uci(uci)
        self.assertTrue(board.is_repetition() and board.can_claim_draw())
        self.assertIsNone(board.outcome())
        outcome = board.outcome(claim_draw=True)
        self.assertEqual((outcome.termination, outcome.winner, outcome.result()), ("threefold_repetition", None, "1/2-1/2"))
        self.assertEqual(board.result(claim_draw=True), "1/2-1/2")
        self.assertEqual(len({outcome, board.outcome(claim_draw=True)}), 1)

    def test_squares(self):
        self.assertEqual((halfmove.A1, halfmove.H8, halfmove.square_name(28)), (0, 63, "e4"))
        self.assertEqual(halfmove.parse_square("c5"), halfmove.C5)
        squares = halfmove.SquareSet([halfmove.A1, halfmove.B2])
        self.assertEqual((len(squares), int(squares), halfmove.B2 in squares), (2, 0x201, True))
        self.assertEqual(list(squares | halfmove.SquareSet([halfmove.H8])), [0, 9, 63])
        self.assertEqual(pickle.loads(pickle.dumps(squares)), squares)
        self.assertEqual(squares.union([halfmove.H8]).intersection(1 << 63 | 1), halfmove.SquareSet([0, 63]))
        self.assertEqual(squares.difference({halfmove.A1}), halfmove.SquareSet([halfmove.B2]))
        self.assertTrue(squares.isdisjoint(2) and squares.issubset(range(10)) and squares.issuperset([]))
        self.assertFalse(squares.isdisjoint(1) or squares.issubset(1) or squares.issuperset(2))

    def test_pins_of_makruk(self):
        board = halfmove.Board("4k3/8/4r3/8/8/4M3/4K3/8 w - - 0 1", variant="makruk")
        self.assertTrue(board.is_pinned(halfmove.WHITE, halfmove.E3))
        self.assertFalse(board.is_pinned(halfmove.WHITE, halfmove.E2) or board.is_pinned(halfmove.BLACK, halfmove.E6))


if __name__ == "__main__":
    unittest.main()
