#!/usr/bin/env python3
"""Ask other programs which games answer questions, and write their answers into the table of the questions.

    zstd -dc masters.pgn.zst > /tmp/masters.pgn
    ./outside.py ../expected/questions_masters.tsv /tmp/masters.pgn > /tmp/questions.tsv

It needs Scid (`tkscid`) and pgn-extract, both from Debian, and python-chess. The columns kind, program, asked and flags are
read, count and games are computed:

    kind     what kind of question it is
    program  who answered: Scid, pgn-extract or python-chess
    asked    what this program was asked
    flags    the same question for `halfmove search`
    count    how many games were found
    games    their numbers in the file, from 1, each with the half-moves before the position, if the program tells: "387:42".
             If they are more than LISTED, only those that EVERY divides

What was asked:

    Scid          a line for `outside.tcl`, or several with OR between them
    pgn-extract   its arguments; what follows -t, -v, -x, -y or -z is the text of that file
    python-chess  on a board `b` after `ply` half-moves,
                      "position: CONDITION"     the first position in which it holds
                      "position 20: CONDITION"  the first of 20 in a row
                      "end: CONDITION"          it holds at the end
                      "last: CONDITION"         the same; the ply is that since which it holds
                      "anywhere: CONDITION"     in the game or a variation, with the ply at which the variation branches off
                  "moves: REGEX" on the SAN of all moves, a blank after each, with the ply of the last move of the first match;
                  "comment: REGEX" with the ply at which the comment stands, or its variation branches off;
                  "opening: CONDITION" on the `name` of the last position that the lists name; "tags: CONDITION" on `tags`

Games are counted as in the file; a game that cannot be read stops the program.
"""

import functools
import io
import multiprocessing
import os
import re
import shlex
import subprocess
import sys
import tempfile

import chess
import chess.pgn

LISTED, EVERY = 200, 20
LONGEST_OPENING = 40  # Half-moves; that no line is longer is checked.
HERE = os.path.dirname(os.path.abspath(__file__))
OPENINGS = os.path.join(HERE, "../../crates/game/data/openings")


# Conditions of python-chess.

KNOWN = {}  # What has been computed for the position that is looked at.


def once(function):
    """Computes it once for each board of a position."""
    @functools.wraps(function)
    def known(board):
        key = function, id(board)
        if key not in KNOWN:
            KNOWN[key] = function(board)
        return KNOWN[key]
    return known


@functools.cache
def parsed(fen):
    return chess.Board(fen)


@once
def epd(board):
    return board.epd(en_passant="legal")


def at(board, fen):
    """The position of a FEN: pieces, side to move, castling rights, a legal en passant capture."""
    other = parsed(fen)
    return board.occupied == other.occupied and epd(board) == other.epd(en_passant="legal")


@functools.cache
def wanted(text):
    return tuple(text.count(letter) for letter in "PNBRQpnbrq")


@once
def pieces(board):
    """How many pawns, knights, bishops, rooks and queens White and Black have."""
    kinds = board.pawns, board.knights, board.bishops, board.rooks, board.queens
    return tuple((kind & side).bit_count() for side in (board.occupied_co[True], board.occupied_co[False]) for kind in kinds)


def material(board, text):
    """Exactly these pieces beside the kings: RPr."""
    return board.occupied.bit_count() == len(text) + 2 and pieces(board) == wanted(text)


@once
def lead(board):
    """How many pawns, knights, bishops, rooks and queens White has more than Black."""
    counts = pieces(board)
    return tuple(white - black for white, black in zip(counts[:5], counts[5:]))


def shape(board, text):
    """These pieces stand there, whatever stands elsewhere: "Pd4 Nf3 -e5 [Bb]c4"; - is nothing, A and a any piece of a side."""
    return all(fits(board.piece_at(square), letters) for square, letters in shape_of(text))


@functools.cache
def shape_of(text):
    return [(chess.parse_square(word[-2:]), word[:-2].strip("[]")) for word in text.split()]


def fits(piece, letters):
    if piece is None:
        return "-" in letters
    return piece.symbol() in letters or ("A" if piece.color else "a") in letters


@once
def turned(board):
    """The colors exchanged, the board upside down."""
    return board.mirror()


@once
def mirrored(board):
    """Left to right."""
    return board.transform(chess.flip_horizontal)


FILES = dict(zip("abcdefgh", chess.BB_FILES))
BESIDE = {name: sum(FILES[other] for other in FILES if abs(ord(other) - ord(name)) == 1) for name in FILES}


def pawns(board, color):
    return board.pawns & board.occupied_co[color]


def isolated(board, color, file):
    return bool(pawns(board, color) & FILES[file]) and not pawns(board, color) & BESIDE[file]


def doubled(board, color, file):
    return (pawns(board, color) & FILES[file]).bit_count() > 1


def passed(board, color, file):
    """No pawn of the other side is ahead of it, on its file or on those beside it."""
    others = [square // 8 for square in chess.scan_forward(pawns(board, not color) & (FILES[file] | BESIDE[file]))]
    for square in chess.scan_forward(pawns(board, color) & FILES[file]):
        if not any(rank > square // 8 if color else rank < square // 8 for rank in others):
            return True
    return False


def skeleton(board, white, black):
    """Exactly these pawns."""
    return (pawns(board, True), pawns(board, False)) == (squares(white), squares(black))


@functools.cache
def squares(text):
    return sum(chess.BB_SQUARES[chess.parse_square(word)] for word in text.split())


def words(text):
    """The words of a name."""
    return re.findall(r"\w+", text.lower())


# Answers of python-chess.

class Positions:
    def __init__(self, condition, positions):
        self.condition, self.positions = condition, positions
        self.since, self.found = None, None

    def board(self, board, ply):
        if self.found is not None:
            return
        if not self.condition(board, ply):
            self.since = None
            return
        if self.since is None:
            self.since = ply
        if ply - self.since + 1 >= self.positions:
            self.found = self.since

    def end(self, game, board, sans):
        return self.found


class Last:
    """The ply is that since which the condition has held: the moves are taken back as long as it does."""

    def __init__(self, condition):
        self.condition = condition

    def board(self, board, ply):
        pass

    def end(self, game, board, sans):
        board = board.copy()
        ply = len(sans)
        KNOWN.clear()
        while ply >= 0 and self.condition(board, ply):
            ply -= 1
            if ply >= 0:
                board.pop()
            KNOWN.clear()
        return ply + 1 if ply < len(sans) else None


class End:
    """The ply is the last one."""

    def __init__(self, condition):
        self.condition = condition

    def board(self, board, ply):
        pass

    def end(self, game, board, sans):
        KNOWN.clear()
        return len(sans) if self.condition(board, len(sans)) else None


class Moves:
    """Matches begin at moves; the ply is that of the match that ends first."""

    def __init__(self, pattern):
        self.pattern = re.compile(pattern)

    def board(self, board, ply):
        pass

    def end(self, game, board, sans):
        text = "".join(f"{san} " for san in sans)
        starts = [0, *(blank.end() for blank in re.finditer(" ", text))]
        ends = [match.end() for start in starts if (match := self.pattern.match(text, start))]
        return text[:min(ends)].count(" ") if ends else None


class Opening:
    def __init__(self, condition):
        self.condition, self.name, self.usual = condition, None, True

    def board(self, board, ply):
        if ply == 0:
            self.usual = epd(board) == chess.Board().epd(en_passant="legal")
        if ply < LONGEST_OPENING and self.usual and (position := epd(board)) in listed():
            self.name = listed()[position]

    def end(self, game, board, sans):
        return "" if self.name is not None and self.condition(self.name) else None


@functools.cache
def listed():
    names = {}
    for letter in "abcde":
        with open(f"{OPENINGS}/{letter}.tsv", encoding="utf-8") as lines:
            next(lines)
            for line in lines:
                code, name, moves = line.rstrip("\n").split("\t")
                board = chess.Board()
                for word in moves.split():
                    if not word.endswith("."):
                        board.push_san(word)
                assert board.ply() < LONGEST_OPENING
                names.setdefault(board.epd(en_passant="legal"), f"{code} {name}")
    return names


class Tags:
    def __init__(self, condition):
        self.condition = condition

    def board(self, board, ply):
        pass

    def end(self, game, board, sans):
        return "" if self.condition(game.headers) else None


class Tree:
    """Visits the positions of the main line, then those of the variations, by where they branch off."""

    def __init__(self, found):
        self.found = found

    def board(self, board, ply):
        pass

    def end(self, game, board, sans):
        main = [game, *game.mainline()]
        for ply, node in enumerate(main):
            if self.found(node):
                return ply
        for ply, node in enumerate(main):
            waiting = node.variations[1:]
            while waiting:
                inner = waiting.pop()
                if self.found(inner):
                    return ply
                waiting.extend(inner.variations)
        return None


def watcher(asked):
    how, condition = asked.split(": ", 1)
    how, *number = how.split()
    match how:
        case "position":
            return Positions(compiled("b, ply", condition), int(*number or [1]))
        case "last":
            return Last(compiled("b, ply", condition))
        case "end":
            return End(compiled("b, ply", condition))
        case "moves":
            return Moves(condition)
        case "opening":
            return Opening(compiled("name", condition))
        case "tags":
            return Tags(compiled("tags", condition))
        case "anywhere":
            holds = compiled("b", condition)
            return Tree(lambda node: KNOWN.clear() or holds(node.board()))
        case "comment":
            return Tree(lambda node: re.search(condition, f"{node.starting_comment} {node.comment}"))
    sys.exit(f"no such question: {asked}")


@functools.cache
def compiled(names, condition):
    return eval(f"lambda {names}: {condition}", globals())  # The questions are ours.


def answers_in(portion):
    """What python-chess finds in some games: for each question, pairs of a game and a ply."""
    games, questions = portion
    found = [[] for _ in questions]
    for number, text in games:
        game = chess.pgn.read_game(io.StringIO(text))
        if game.errors:
            sys.exit(f"game {number}: {game.errors}")
        watchers = [watcher(asked) for asked in questions]
        board, sans = game.board(), []
        for ply, move in enumerate([None, *game.mainline_moves()]):
            if move is not None:
                sans.append(board.san_and_push(move))
            KNOWN.clear()
            for each in watchers:
                each.board(board, ply)
        KNOWN.clear()
        for answer, each in zip(found, watchers):
            ply = each.end(game, board, sans)
            if ply is not None:
                answer.append((number, str(ply)))
    return found


def by_python_chess(questions, pgn):
    size = 250
    games = list(enumerate(texts(pgn), start=1))
    portions = [(games[at:at + size], questions) for at in range(0, len(games), size)]
    answers = [[] for _ in questions]
    with multiprocessing.Pool() as pool:
        for found in pool.imap(answers_in, portions):
            for answer, some in zip(answers, found):
                answer.extend(some)
    return answers


def texts(pgn):
    with open(pgn, "rb") as file:
        data = file.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return re.split(r"(?m)^(?=\[Event )", text)[1:]


# The other programs.

def by_scid(questions, pgn):
    command = ["tkscid", os.path.join(HERE, "outside.tcl"), pgn]
    parts = [part for asked in questions for part in asked.split(" OR ")]
    lines = run(command, "".join(part + "\n" for part in parts)).splitlines()
    assert len(lines) == len(parts), lines
    found = {part: [tuple(game.split(":")) for game in line.split()] for part, line in zip(parts, lines)}
    return [first([game for part in asked.split(" OR ") for game in found[part]]) for asked in questions]


def first(answer):
    """Each game once, with the lower of two plies."""
    lowest = {}
    for number, ply in answer:
        if number not in lowest or int(ply) < int(lowest[number]):
            lowest[number] = ply
    return list(lowest.items())


def by_pgn_extract(questions, pgn):
    """The games get a tag with their number, which comes out again."""
    with tempfile.TemporaryDirectory() as folder:
        numbered = os.path.join(folder, "numbered.pgn")
        with open(numbered, "w", encoding="utf-8", newline="") as file:
            for number, text in enumerate(texts(pgn), start=1):
                file.write(f'[Number "{number}"]\n{text}')
        return [asked_pgn_extract(folder, shlex.split(asked.replace("\\n", "\n")), numbered) for asked in questions]


def asked_pgn_extract(folder, words, pgn):
    arguments = []
    while words:
        word = words.pop(0)
        if word in ("-t", "-v", "-x", "-y", "-z"):
            name = os.path.join(folder, "criteria")
            with open(name, "w", encoding="ascii") as file:
                file.write(words.pop(0) + "\n")
            word += name
        arguments.append(word)
    out = run(["pgn-extract", "-s", *arguments, pgn])
    return [(number, "") for number in re.findall(r'(?m)^\[Number "(\d+)"\]', out)]


def run(command, text=None):
    environment = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/games"}
    return subprocess.run(command, input=text, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True,
                          encoding="latin-1").stdout


PROGRAMS = {"Scid": by_scid, "pgn-extract": by_pgn_extract, "python-chess": by_python_chess}


def cell(answer):
    answer = sorted((int(number), ply) for number, ply in answer)
    if len(answer) > LISTED:
        answer = [(number, ply) for number, ply in answer if number % EVERY == 0]
    return " ".join(f"{number}:{ply}" if ply else f"{number}" for number, ply in answer)


def main():
    table, pgn = sys.argv[1:]
    with open(table, encoding="utf-8") as lines:
        heading, *rows = (line.rstrip("\n").split("\t") for line in lines)
    answers = {}
    for name, ask in PROGRAMS.items():
        asked = sorted({row[2] for row in rows if row[1] == name})
        if asked:
            answers.update({(name, question): answer for question, answer in zip(asked, ask(asked, pgn))})
    print("kind", "program", "asked", "flags", "count", "games", sep="\t")
    for kind, program, asked, flags, *_ in rows:
        answer = answers[program, asked]
        print(kind, program, asked, flags, len(answer), cell(answer), sep="\t")


if __name__ == "__main__":
    main()
