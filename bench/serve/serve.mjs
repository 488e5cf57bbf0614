// The server under load: the time to its first answer, the explorer over many positions one after another, and many connections
// at once. What is measured is in ../definitions/serve/serve.json; serve.sh runs this and installs what it needs.
//
//     node serve.mjs PROGRAM ARCHIVE [FLAG OF halfmove serve …]
//
// The positions are those of games of the archive: a third each from openings, middlegames and endings. The server keeps answers, so
// {new} is another number in each request, which asks for more moves than there are: no answer is that of an earlier request. Of the
// connections at once, each asks the positions in the same order, but begins with another one. Prints a record in Markdown, as record/serve.md has two.
// Fails if an answer is wrong: a status other than 200, an error of a connection, or results that differ between two routes.
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, machine, release, type } from 'node:os'
import autocannon from 'autocannon'

const [program, archive, ...flags] = process.argv.slice(2)
if (!archive) throw new Error('usage: node serve.mjs PROGRAM ARCHIVE')
const definition = JSON.parse(readFileSync(new URL('../definitions/serve/serve.json', import.meta.url)))

const load = loadavg()[0]

const started = performance.now()
const server = spawn(program, ['serve', archive, '--listen', '127.0.0.1:0', '--no-open', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
process.on('exit', () => server.kill())
const url = await new Promise((resolve, reject) => {
  let text = ''
  server.stdout.on('data', (bytes) => {
    text += bytes
    const found = /at (http:\/\/[^\s]+)\//.exec(text)
    if (found) resolve(found[1])
  })
  server.on('exit', (code) => reject(new Error(`the server ended with ${code}`)))
})
const listening = performance.now() - started

let asked = 0
// More than the moves of any position, and at most 10,000 where that is the limit.
const fresh = (pattern) => pattern.replace('{new}', pattern.startsWith('/api/') ? 300 + (asked++ % 9700) : 300 + asked++)
const target = (pattern, fen) => fresh(pattern.replace('{fen}', encodeURIComponent(fen)))
const ask = async (path) => {
  const answer = await fetch(url + path)
  if (answer.status !== 200) throw new Error(`${path}: status ${answer.status}`)
  return answer.json()
}
const first = await ask('/masters')
const startup = performance.now() - started
const total = ({ white, draws, black }) => white + draws + black
if (typeof total(first) !== 'number') throw new Error('the first answer has no results')

// Games evenly spread over the archive; of each a ply of its class, another one in each game.
const { archives } = await ask('/api/archives')
const targets = definition.targets.find(({ games }) => archives[0].games <= games) ?? {}
const positions = new Set()
for (let game = 0; positions.size < definition.positions; game++) {
  if (game === 4 * definition.positions) throw new Error('the archive has too few games for so many positions')
  const id = 1 + ((game * 7919 * 43) % archives[0].games)
  const answer = await fetch(`${url}/api/games/${id}`)
  if (answer.status !== 200) continue
  const [from, to] = definition.plies[game % definition.plies.length]
  const nodes = (await answer.json()).nodes.filter((node) => node.main && node.ply >= from && node.ply < to)
  if (nodes.length > 0) positions.add(nodes[(game * 31) % nodes.length].fen)
}

const memory = () => {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)[1]) / 1024
}
const at = (times, share) => times.sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]
const ms = (time) => time.toFixed(time < 10 ? 2 : 0)

const rows = []
const row = (what, p50, p99, most, limit) => rows.push([what, ms(p50), ms(p99), ms(most), limit ? `${limit}` : ''])
const sums = new Map()
for (const [name, pattern] of Object.entries(definition.routes)) {
  // Once to have the columns in memory.
  for (const fen of positions) await ask(target(pattern, fen))
  const [inside, outside] = [[], []]
  for (const fen of positions) {
    const begun = performance.now()
    const answer = await ask(target(pattern, fen))
    outside.push(performance.now() - begun)
    if (answer.milliseconds !== undefined) inside.push(answer.milliseconds)
    const known = sums.get(fen) ?? total(answer)
    sums.set(fen, known)
    if (known !== total(answer)) throw new Error(`${name} ${fen}: ${total(answer)} games, expected ${known}`)
  }
  const limit = name.includes('reached') ? targets.reached_p99_ms : targets.explorer_p99_ms
  if (inside.length) row(`${name}: search`, at(inside, 0.5), at(inside, 0.99), at(inside, 1), limit)
  row(`${name}: request and answer`, at(outside, 0.5), at(outside, 0.99), at(outside, 1), inside.length ? '' : limit)
}
const quiet = memory()

// The time of the processor that the server has used, in milliseconds; the fields after its name are those of proc(5), in ticks of 10 ms.
const processor = () => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
const rates = []
for (const [name, pattern] of Object.entries(definition.crowd)) {
  const all = [...positions].map((fen) => pattern.replace('{fen}', encodeURIComponent(fen)))
  let client = 0
  const before = processor()
  const crowd = await autocannon({
    url,
    connections: definition.connections,
    duration: definition.seconds,
    timeout: 60,
    setupClient: (connection) => {
      const first = Math.floor((client++ * all.length) / definition.connections)
      const order = [...all.slice(first), ...all.slice(0, first)]
      connection.setRequests(order.map((path) => ({ method: 'GET', path, setupRequest: (request) => ({ ...request, path: fresh(path) }) })))
    },
  })
  if (crowd.errors + crowd.timeouts + crowd.non2xx > 0) {
    throw new Error(`${crowd.errors} errors, ${crowd.timeouts} timeouts, ${crowd.non2xx} other statuses`)
  }
  const { latency, requests } = crowd
  row(`${definition.connections} connections at once, ${name}`, latency.p50, latency.p99, latency.max, targets.crowd_p99_ms)
  rates.push(`${Math.round(requests.average)} requests a second, ${((processor() - before) / requests.total).toFixed(2)} ms of a core each: ${name}`)
}

const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], { encoding: 'utf8' }).trim()
console.log(`- CPU: ${cpus()[0].model}, ${cpus().length} cores`)
console.log(`- System: ${type()} ${release()} ${machine()}`)
console.log(`- Date: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`)
console.log(`- Commit: ${commit}`)
console.log(`- Load average of the minute before: ${load.toFixed(2)}`)
console.log(`- Archive: ${archives[0].games.toLocaleString('en')} games${flags.length ? `, ${flags.join(' ')}` : ''}; ${positions.size} positions of them\n`)
console.log('| | p50 (ms) | p99 (ms) | most (ms) | target: p99 |\n|---|---|---|---|---|')
for (const cells of rows) console.log(`| ${cells.join(' | ')} |`)
console.log(`\nstart to listening: ${ms(listening)} ms; to the first answer: ${ms(startup)} ms`)
console.log(rates.join('\n'))
console.log(`memory at most: ${Math.round(quiet)} MB one by one, ${Math.round(memory())} MB with all of them (target: ${targets.memory_mb ?? 'none'})`)
if (load > 0.5) console.log('The machine was not idle: these are no figures to publish.')
server.kill()
