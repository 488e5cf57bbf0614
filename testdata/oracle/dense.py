#!/usr/bin/env python3
"""Decode games of the codec `dense` with python-chess, from docs/reference/dense.md.

    halfmove encode --codec dense games.pgn --output games.hmg
    ./dense.py games.hmg
    ./dense.py --hex '80 d6 7f c4'

Prints a line for each game: its moves in UCI notation, castling as king to target except in Chess960, `0000` for a null
move. Only chess and Chess960; a game of Makruk is the line `makruk`.
"""

import argparse
import operator
import pathlib
import sys

try:
    import chess
    import chess.polyglot
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)

MODEL = pathlib.Path(__file__).parents[2] / "crates/codecs/models/dense.model"
TOTAL, NULL, OTHER = 65536, 4, 16
M32, M64 = 2**32 - 1, 2**64 - 1
MAX_PLIES = 65535
UNITS = 176
# Classes and points by python-chess's piece types, which begin with the pawn, 1.
CLASS = [0, 1, 2, 2, 3, 4, 5]
POINTS = [0, 1, 3, 3, 5, 9, 0]
FACTORS = [0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1, 0xD3A2646D, 0xFD7046C5, 0xB55A4F09]
AROUND = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
DISTANCE = [[chess.square_distance(a, b) for b in chess.SQUARES] for a in chess.SQUARES]
TABLES = [
    ("from-to", 40960), ("exchange", 6480), ("origin", 17280), ("hanging", 4800), ("recapture", 1440),
    ("reply", 131072), ("reply, whole moves", 262144), ("follow-up", 131072), ("check", 1440), ("threat", 1800),
    ("their king", 1920), ("our king", 1920), ("mobility", 7680), ("shape", 15360), ("around the origin", 65536),
    ("around the target", 65536), ("ply", 10240), ("material", 5120), ("rating", 11520), ("rating and threat", 1280),
    ("rating and ply", 10240), ("order", 640), ("line", 720), ("book", 144), ("end: ply", 256), ("end: material", 510),
    ("end: clock", 144), ("end: rating", 256), ("end: moves", 576),
]  # fmt: skip


class Broken(Exception):
    """Bytes that no encoder writes."""


def exponentials():
    values, x = [], 2**56
    for _ in range(2048):
        values.append(x >> 32)
        x = x * 4261543595 >> 32
    return values


E = exponentials()


class Model:
    def __init__(self, data):
        hashed = 0xCBF29CE484222325
        for byte in data[:-8]:
            hashed = (hashed ^ byte) * 0x100000001B3 & M64
        if data[:9] != b"\x89HMD\r\n\x1a\n\x01" or hashed != int.from_bytes(data[-8:], "little"):
            raise Broken("not a model")
        place = 9

        def take(length):
            nonlocal place
            place += length
            return memoryview(data)[place - length : place]

        self.settings = [int.from_bytes(data[place + i : place + i + 2], "little") for i in range(0, 32, 2)]
        take(32)
        self.tables = {name: take(size).cast("b") for name, size in TABLES}
        self.inputs, self.outputs = take(2848 * UNITS).cast("b"), take(1640 * UNITS).cast("b")
        self.checks, self.classes = take(2**18).cast("H"), take(2**17)
        assert place == len(data) - 8, (place, len(data))

    def book(self, key, m):
        """The class of an entry of the book, or None."""
        x = (key ^ m) * 0x9E3779B97F4A7C15 & M64
        y = (x ^ x >> 29) * 0xD6E8FEB86659FD93 & M64
        check, place = max(y & 0xFFFF, 1), y >> 47
        while self.checks[place]:
            if self.checks[place] == check:
                return self.classes[place]
            place = (place + 1) % 2**17
        return None


def hashed(a, b, size):
    x = ((a << 32) + b) * 0x9E3779B97F4A7C15 & M64
    return ((x ^ x >> 32) * 0xD6E8FEB86659FD93 & M64) >> 64 - (size.bit_length() - 1)


def digits(*pairs):
    index = 0
    for value, values in pairs:
        assert 0 <= value < values, pairs
        index = index * values + value
    return index


class Decoder:
    """The range decoder. It also follows `low` of the encoder, without an end to its length, to check the last bytes."""

    def __init__(self, data):
        self.data, self.low, self.range, self.out = data, 0, M64, 0

    def window(self, length):
        return int.from_bytes(self.data[:length] + bytes(max(0, length - len(self.data))), "big")

    def symbol(self, frequencies):
        unit = self.range >> 16
        value = (self.window(self.out + 8) - self.low) // unit
        start = 0
        for index, frequency in enumerate(frequencies):
            if start <= value < start + frequency:
                break
            start += frequency
        else:
            raise Broken("no symbol")
        self.low += unit * start
        self.range = unit * frequency
        while self.range < 2**48:
            self.low, self.range, self.out = self.low << 8, self.range << 8, self.out + 1
        return index

    def finish(self):
        for more in range(9):
            step = 64 - 8 * more
            last = -(-self.low >> step)
            if last << step < self.low + self.range:
                if last.to_bytes(self.out + more, "big") != self.data:
                    raise Broken("the bytes end in another way")
                return
        raise Broken("no end")


def frequencies(scores):
    """Those of the end and the moves, with the null move between them."""
    best = max(scores)
    e = [E[best - score] if best - score < 2048 else 0 for score in scores]
    factor = (TOTAL - NULL - len(scores) << 32) // sum(e)
    f = [1 + (value * factor >> 32) for value in e]
    f[scores.index(best)] += TOTAL - NULL - sum(f)
    return [f[0], NULL, *f[1:]]


class Played:
    """A move that was played: its kind, squares, and the class that it captured. No move has kind 10."""

    def __init__(self, kind=10, origin=0, target=0, captured=0):
        self.kind, self.origin, self.target, self.captured = kind, origin, target, captured

    def seen(self, mirrored):
        flip = 56 if mirrored else 0
        return Played(self.kind, self.origin ^ flip, self.target ^ flip, self.captured)


def attacks(role, square, occupied):
    if role == chess.PAWN:
        return chess.BB_PAWN_ATTACKS[chess.WHITE][square]
    if role == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[square]
    if role == chess.KING:
        return chess.BB_KING_ATTACKS[square]
    found = 0
    if role != chess.ROOK:
        found |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
    if role != chess.BISHOP:
        found |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
        found |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    return found


class View:
    """A position as the side to move sees it, White on the mirrored board, with what its features need."""

    def __init__(self, board, last, own):
        self.mirrored = board.turn == chess.BLACK
        self.board = board.mirror() if self.mirrored else board
        self.last, self.own = last.seen(self.mirrored), own.seen(self.mirrored)
        b = self.board
        self.ours, self.theirs = b.occupied_co[chess.WHITE], b.occupied_co[chess.BLACK]
        self.roles = [b.piece_type_at(square) or 0 for square in range(64)]
        self.attackers = [b.attackers_mask(chess.BLACK, square) for square in range(64)]
        self.guards = [b.attackers_mask(chess.WHITE, square) for square in range(64)]
        self.least = [min((CLASS[self.roles[s]] for s in chess.scan_forward(a)), default=0) for a in self.attackers]
        self.their_king, self.our_king = b.king(chess.BLACK), b.king(chess.WHITE)
        self.in_check = bool(self.attackers[self.our_king])
        points = sum(POINTS[role] for role in self.roles if role != chess.PAWN)
        self.phase = 0 if points >= 47 else 1 if points >= 25 else 2
        self.pieces_left = min(points // 10, 7)
        balance = sum(POINTS[self.roles[s]] * (1 if self.ours >> s & 1 else -1) for s in chess.scan_forward(b.occupied))
        self.balance = max(-8, min(8, balance))
        self.hanging = 0
        for square in chess.scan_forward(self.ours):
            role = self.roles[square]
            if role != chess.KING and self.attackers[square]:
                if self.least[square] < CLASS[role] or not self.guards[square]:
                    self.hanging |= 1 << square
        self.most_hanging = max((CLASS[self.roles[s]] for s in chess.scan_forward(self.hanging)), default=0)
        self.more_hang = int(self.hanging.bit_count() > 1)
        self.blockers = 0
        for square in chess.scan_forward(self.ours):
            role = self.roles[square]
            lines = attacks(role, square, 0) if role in (chess.BISHOP, chess.ROOK, chess.QUEEN) else 0
            if lines >> self.their_king & 1:
                between = chess.between(square, self.their_king) & b.occupied
                if between.bit_count() == 1:
                    self.blockers |= between & self.ours
        self.around = {}

    def surroundings(self, square):
        if square not in self.around:
            a = 0
            for (east, north), factor in zip(AROUND, FACTORS):
                file, rank = (square & 7) + east, (square >> 3) + north
                piece = 13
                if 0 <= file < 8 and 0 <= rank < 8:
                    other = 8 * rank + file
                    piece = self.roles[other] + 6 * (self.theirs >> other & 1)
                a += piece * factor
            self.around[square] = a & M32
        return self.around[square]


class Candidate:
    """A legal move, in the frame of the side to move."""

    def __init__(self, view, move):
        board, roles = view.board, view.roles
        self.origin, self.target, self.role = move.from_square, move.to_square, roles[move.from_square]
        self.captured, self.promotion = 0, move.promotion
        if board.is_castling(move):
            # The king takes its own rook, as in Chess960.
            self.bits = self.origin + 64 * self.target + 32768
            self.target = chess.G1 if self.target > self.origin else chess.C1
            self.kind = 6
        else:
            if board.is_en_passant(move):
                self.captured = 1
            elif view.theirs >> self.target & 1:
                self.captured = CLASS[roles[self.target]]
            self.bits = self.origin + 64 * self.target + 4096 * ((self.promotion or 1) - 1)
            self.kind = {None: self.role - 1, chess.QUEEN: 7, chess.KNIGHT: 8}.get(self.promotion, 9)
        self.becomes = {7: chess.QUEEN, 8: chess.KNIGHT, 9: chess.ROOK}.get(self.kind, self.role)
        self.move = move


def indices(view, c, setting, ply, book):
    """The index of a move in each table of moves."""
    last, own, roles, phase = view.last, view.own, view.roles, view.phase
    kind, origin, target, captured = c.kind, c.origin, c.target, c.captured
    KIND, CAPTURED, PHASE = (kind, 10), (captured, 6), (phase, 3)
    least = view.least[target]
    LEAST = (least, 6)
    attacked, two = bool(view.attackers[target]), view.attackers[target].bit_count() > 1
    supporters = min(view.guards[target].bit_count(), 2) - (view.guards[target] >> origin & 1)
    after = attacks(c.becomes, target, view.board.occupied & ~(1 << origin))
    before = attacks(c.role, origin, view.board.occupied)
    safe = not attacked or supporters > int(two) and least >= CLASS[c.becomes]
    moves_hanging = view.hanging >> origin & 1
    protects = bool(after & view.hanging & ~(1 << origin))
    there, again = last.kind != 10, own.kind != 10 and origin == own.target
    direct, discovered = after >> view.their_king & 1, view.blockers >> origin & 1
    threatened = []
    for square in chess.scan_forward(after & view.theirs):
        value = CLASS[roles[square]]
        if value < 5 and (not view.attackers[square] or value > CLASS[c.becomes]):
            threatened.append(value)
    threat = 2 * max(threatened, default=0) + (len(threatened) > 1)
    last_attacks_origin = there and view.attackers[origin] >> last.target & 1
    last_attacks_target = there and view.attackers[target] >> last.target & 1
    pawns = view.board.pawns
    ours, theirs = pawns & view.ours, pawns & view.theirs
    file, other_file = chess.BB_FILES[target & 7], chess.BB_FILES[origin & 7]
    beside = sum(chess.BB_FILES[f] for f in ((target & 7) - 1, (target & 7) + 1) if 0 <= f < 8)
    higher = beside >> 8 * (target >> 3) + 8 << 8 * (target >> 3) + 8
    target_file = bool(ours & file) + 2 * bool(theirs & file)
    target_file += 4 * bool(theirs & higher) + 8 * bool(view.guards[target] & pawns)
    origin_file = bool(ours & other_file & ~(1 << origin)) + 2 * bool(theirs & other_file)
    order = (
        (again and target == own.origin)
        + 2 * again
        + 4 * last_attacks_origin
        + 8 * (there and after >> last.target & 1)
        + 16 * last_attacks_target
        + 32 * (there and target == last.origin)
    )
    forward = (target >> 3 > origin >> 3) * 2 + (target >> 3 == origin >> 3)
    mover, whole = 64 * kind + target, 64 * (64 * kind + origin) + target
    support = (4 if view.in_check else 2 * (supporters > 0)) + bool(captured)
    yield "from-to", digits(KIND, (origin, 64), (target, 64))
    yield "exchange", digits(KIND, CAPTURED, LEAST, (two, 2), (supporters, 3), PHASE)
    yield "origin", digits(
        KIND, (view.least[origin], 6), LEAST, (bool(captured), 2), (view.attackers[origin].bit_count() > 1, 2),
        (min(view.guards[origin].bit_count(), 2), 3), (last_attacks_origin, 2), (safe, 2),
    )  # fmt: skip
    yield "hanging", digits(
        KIND, CAPTURED, (view.most_hanging, 5), (view.more_hang, 2), (moves_hanging, 2), (protects, 2), (attacked, 2)
    )
    yield "recapture", digits(KIND, CAPTURED, (last.captured, 6), (there and target == last.target, 2), (attacked, 2))
    yield "reply", hashed(64 * last.kind + last.target, mover, 131072)
    yield "reply, whole moves", hashed(64 * (64 * last.kind + last.origin) + last.target, whole, 262144)
    yield "follow-up", hashed(64 * own.kind + own.target, mover, 131072)
    yield "check", digits(KIND, LEAST, (direct, 2), (discovered, 2), (support, 6))
    yield "threat", digits(KIND, (threat, 10), LEAST, (supporters, 3))
    for name, king in (("their king", view.their_king), ("our king", view.our_king)):
        yield name, digits(KIND, (DISTANCE[target][king], 8), (DISTANCE[origin][king], 8), PHASE)
    yield "mobility", digits(KIND, (min(before.bit_count() // 2, 15), 16), (min(after.bit_count() // 2, 15), 16), PHASE)
    yield "shape", digits(KIND, (target_file, 16), (origin_file, 4), (target >> 3, 8), PHASE)
    yield "around the origin", hashed(view.surroundings(origin), kind, 65536)
    yield "around the target", hashed(view.surroundings(target), kind, 65536)
    yield "ply", digits(KIND, (target, 64), (min(ply // 6, 15), 16))
    yield "material", digits(KIND, (target, 64), (view.pieces_left, 8))
    yield "rating", digits((setting, 16), KIND, CAPTURED, LEAST, (bool(view.attackers[origin]), 2))
    yield "rating and threat", digits(
        (setting, 16), (threat, 10), (direct or discovered, 2), (moves_hanging, 2), (view.in_check, 2)
    )
    yield "rating and ply", digits((setting, 16), KIND, (target >> 3, 8), (min(ply // 12, 7), 8))
    yield "order", digits(KIND, (order, 64))
    yield "line", digits(KIND, (DISTANCE[origin][target], 8), (forward, 3), PHASE)
    if book is not None:
        move_class, position_class = book
        yield "book", digits((move_class, 18), (position_class, 4), (setting & 1, 2))


def end_indices(view, setting, ply, clock, repetitions, moves):
    fast, phase = (setting & 1, 2), (view.phase, 3)
    sign = 0 if view.balance < -2 else 1 if view.balance <= 2 else 2
    yield "end: ply", digits((min(ply // 4, 63), 64), (view.mirrored, 2), fast)
    yield "end: material", digits((view.balance + 8, 17), phase, (view.most_hanging, 5), (view.more_hang, 2))
    yield "end: clock", digits((min(clock // 8, 15), 16), (repetitions, 3), phase)
    yield "end: rating", digits((setting, 16), (min(ply // 16, 15), 16))
    yield "end: moves", digits((min(moves, 15), 16), (view.in_check, 2), (view.last.captured, 6), (sign, 3))


class Scorer:
    """The scores of one game."""

    def __init__(self, model, setting):
        self.model, self.setting = model, setting

    def hidden(self, view, ply):
        rows = [2816 + self.setting, 2832 + min(ply // 6, 15)]
        for square in chess.scan_forward(view.board.occupied):
            place = 64 * (view.roles[square] - 1) + square
            if view.ours >> square & 1:
                rows.append(place)
                if view.hanging >> square & 1:
                    rows.append(768 + place)
            else:
                rows.append(384 + place)
                if view.guards[square] and not view.attackers[square]:
                    rows.append(1152 + place)
        for first, played in ((1536, view.last), (2176, view.own)):
            if played.kind != 10:
                rows.append(first + 64 * played.kind + played.target)
        inputs = self.model.inputs
        sums = map(sum, zip(*(inputs[row * UNITS : (row + 1) * UNITS] for row in rows)))
        return [min(127, max(0, 16 + value)) for value in sums]

    def scores(self, view, candidates, ply, key, clock, repetitions):
        """Those of the end and of each move."""
        tables, setting = self.model.tables, self.setting
        end = end_indices(view, setting, ply, clock, repetitions, len(candidates))
        found = [4 * sum(tables[name][index] for name, index in end)]
        h, products, outputs = self.hidden(view, ply), {}, self.model.outputs
        position = self.model.book(key, 65535) if ply < 40 else None
        for c in candidates:
            book = None
            if position is not None:
                of_move = self.model.book(key, c.bits)
                book = (17 if of_move is None else of_move, position)
            score = 4 * sum(tables[name][index] for name, index in indices(view, c, setting, ply, book))
            net = 0
            last = 1280 + 36 * c.kind + 6 * c.captured + view.least[c.target]
            for row in (64 * c.kind + c.origin, 640 + 64 * c.kind + c.target, last):
                if row not in products:
                    products[row] = sum(map(operator.mul, h, outputs[row * UNITS : (row + 1) * UNITS]))
                net += products[row]
            found.append(score + (net >> 7))
        return found


def key_of(board):
    """Polyglot's key, with an en passant capture even if a pin forbids it."""
    return chess.polyglot.zobrist_hash(board)


def packed(data):
    """The position that docs/reference/packed.md packs into 32 bytes."""
    board = chess.Board(None, chess960=True)
    halves = [half for byte in data[8:24] for half in (byte & 15, byte >> 4)]
    for square, code in zip(chess.scan_forward(int.from_bytes(data[:8], "little")), halves):
        board.set_piece_at(square, chess.Piece((code & 7) + 1, code < 8))
    board.turn = data[24] == 0
    if data[25]:
        board.ep_square = (40 if board.turn else 16) + data[25] - 1
    for first, byte in ((0, data[26]), (56, data[27])):
        for file in (byte & 15, byte >> 4):
            if file:
                board.castling_rights |= 1 << (first + file - 1)
    board.halfmove_clock, board.fullmove_number = (int.from_bytes(data[i : i + 2], "little") for i in (28, 30))
    return board


def start_of(head):
    """The position of a head, and whether the game is Chess960; None for Makruk."""
    if head[0] != 0xE4:
        raise Broken("no head")
    if head[1] in (0, 1) and len(head) == 34:
        return packed(head[2:]), head[1] == 1
    if head[1] in (2, 3) and len(head) == 3 + head[2]:
        return chess.Board(head[3:].decode(), chess960=True), head[1] == 3
    if head[1] >= 0x10:
        return None
    raise Broken("unknown head")


def decode(model, data):
    """The moves of a game; None for Makruk."""
    decoder = Decoder(data)
    settings = [*model.settings, 64]
    setting, board, chess960 = decoder.symbol(settings), chess.Board(chess960=True), False
    if setting == OTHER:
        length = decoder.symbol([256] * 256)
        start = start_of(bytes(decoder.symbol([256] * 256) for _ in range(length)))
        if start is None:
            return None
        board, chess960 = start
        setting = decoder.symbol(settings)
        if setting == OTHER:
            raise Broken("two starts")
    scorer, moves = Scorer(model, setting), []
    last, own, keys = Played(), Played(), []
    while True:
        view = View(board, last, own)
        candidates = sorted((Candidate(view, move) for move in view.board.legal_moves), key=lambda c: c.bits)
        if not candidates and view.in_check:
            break
        key = key_of(board)
        repetitions = min(keys[-1000:].count(key), 2)
        keys.append(key)
        scores = scorer.scores(view, candidates, len(moves), key, board.halfmove_clock, repetitions)
        symbol = decoder.symbol(frequencies(scores))
        if symbol == 0:
            break
        if len(moves) == MAX_PLIES:
            raise Broken("too many half-moves")
        flip = 56 if view.mirrored else 0
        if symbol == 1:
            if view.in_check:
                raise Broken("a null move in check")
            move, played = chess.Move.null(), Played()
        else:
            c = candidates[symbol - 2]
            move = chess.Move(c.move.from_square ^ flip, c.move.to_square ^ flip, c.move.promotion)
            played = Played(c.kind, c.origin ^ flip, c.target ^ flip, c.captured)
            if board.is_zeroing(move):
                keys.clear()
        board.chess960 = chess960
        moves.append(board.uci(move))
        board.chess960 = True
        board.push(move)
        last, own = played, last
    decoder.finish()
    return moves


def coded_games(data):
    """The bytes of the games in a file, as docs/reference/coded-files.md describes it."""
    place = 9

    def number():
        nonlocal place
        value, shift = 0, 0
        while True:
            byte = data[place]
            place += 1
            value, shift = value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    def block(length):
        nonlocal place
        place += length
        return data[place - length : place]

    if data[:9] != b"\x89HMG\r\n\x1a\n\x01" or block(number()) != b"dense" or number() != 1:
        raise Broken("not a file of dense")
    count = 0
    while data[place]:
        place += 1
        block(number())
        yield block(number())
        count += 1
    place += 1
    if number() != count or place != len(data):
        raise Broken("another number of games")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, default=MODEL)
    parser.add_argument("--hex", action="append", default=[], help="the bytes of a game")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    model = Model(args.model.read_bytes())
    games = [bytes.fromhex(text) for text in args.hex]
    for file in args.files:
        games.extend(coded_games(file.read_bytes()))
    for game in games:
        moves = decode(model, game)
        print("makruk" if moves is None else " ".join(moves), flush=True)


if __name__ == "__main__":
    main()
