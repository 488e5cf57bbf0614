// Counts of makruk-js (MIT), move by move: what `mailbox` has to reproduce with `CountingPolicy::Seed`.
//
// In a checkout of kaisukez/makruk-js at commit b5a060c, with this file beside its `src`:
//   npm install esbuild immer
//   npx esbuild makruk_js.ts --bundle --platform=node --outfile=makruk_js.js
//   node makruk_js.js > makruk_js.jsonl
//
// A row is a start and its moves: UCI, "start" or "stop" if the mover begins or ends to count with it, the
// count fields of the FEN after it ("-" for none), and "over" if the game is then drawn by the count.

import { createGameFromFen } from "0x88/fen/importer"
import { exportFen } from "0x88/fen/exporter"
import { generateLegalMoves } from "0x88/moves/generation"
import { move } from "0x88/moves/notation"
import { isCheck, isFinishedCounting } from "0x88/rules/status"

const GAMES = 60
const PLIES = 24

// xorshift32: the same games every time.
let state = 20261121
function random(n: number): number {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % n
}

// What White and Black have beside their kings.
const MEN = [
    "RT|m", "RR|e", "M|e", "TT|", "MM|", "T|", "R|e", "MT|f", "RM|r", "RRR|e", "TTT|m", "EE|m", "F|", "MMM|e",
    "RB|e", "MB|", "TB|m",
]

function placement(men: string): string {
    const board: string[] = Array(64).fill("")
    for (const man of "Kk" + men.replace("|", "")) {
        let at = random(64)
        while (board[at] !== "" || (man === "B" && (at < 16 || at >= 40))) at = random(64)
        board[at] = man
    }
    const ranks = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => board.slice(8 * rank, 8 * rank + 8))
    return ranks.map((rank) => rank.map((man) => man || "1").join("")).join("/")
        .replace(/1+/g, (empty) => String(empty.length))
}

// A placement, who is to move, and in every third game a count under way and near its end.
function start(i: number): string {
    const men = MEN[i % MEN.length]
    let fen = `${placement(men)} ${"wb"[random(2)]} ${40 + random(20)}`
    if (i % 3 === 2 && !men.includes("B")) {
        const side = random(2)
        const bare = men.split("|")[side] === ""
        const count = bare ? `pp ${4 + random(3)} 1 8` : `bp ${58 + random(5)} 6 64`
        fen += ` ${"wb"[side]} ${count}`
    }
    return fen
}

const square = (index: number) => "abcdefgh"[index & 7] + ((index >> 4) + 1)
const counts = (fen: string) => fen.split(" ").slice(3).join(" ") || "-"
const otherToMove = (fen: string) => fen.replace(/ [wb] /, (side) => (side === " w " ? " b " : " w "))

let id = 0
for (let i = 0; id < GAMES; i++) {
    const fen = start(i)
    if (isCheck(createGameFromFen(otherToMove(fen)))) continue
    let game = createGameFromFen(fen)
    const moves: string[][] = []
    while (moves.length < PLIES) {
        const legal = generateLegalMoves(game).sort((x, y) => x.from - y.from || x.to - y.to)
        const takes = legal.filter((other) => other.captured)
        const pool = takes.length > 0 && random(3) === 0 ? takes : legal
        if (pool.length === 0) break
        const chosen = pool[random(pool.length)]
        const [from, to] = [square(chosen.from), square(chosen.to)]
        const wish = game.countdown ? (random(12) === 0 ? "stop" : "") : random(4) === 0 ? "start" : ""
        const flags = wish === "start" ? { startCountdown: true } : wish === "stop" ? { stopCountdown: true } : {}
        const next = move(game, { from, to } as any, flags)
        // A wish that is not granted is silently ignored.
        const granted = wish === "start" ? next.countdown !== null : next.countdown === null
        const uci = from + to + (chosen.promotion ? "m" : "")
        moves.push([uci, granted ? wish : "", counts(exportFen(next)), isFinishedCounting(next) ? "over" : ""])
        game = next
    }
    if (moves.length === 0) continue
    id++
    console.log(JSON.stringify({ id, start: fen, moves, final_fen: exportFen(game) }))
}
