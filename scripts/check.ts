/**
 * `npm test`: the tests, and beside them the quick checks, two at a time, in the moments when a test waits. Stops at the
 * first that fails. Arguments go to the test runner.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'

/**
 * TypeScript 7; the plain `tsc` is 6, which only dependency-cruiser needs (docs/decisions/0004). With more than one
 * checker it does much of its work twice, and the other core has another check.
 */
const tsc = ['node', 'node_modules/typescript7/bin/tsc', '--checkers', '1'] as const

type Check = readonly [name: string, command: string, ...args: string[]]

/** The long ones first, so that neither core waits at the end. */
const quickChecks: Check[] = [
  ['types (server)', ...tsc, '-p', 'server'],
  ['lint', 'biome', 'check', '.'],
  ['floors', 'depcruise', '--config', '.dependency-cruiser.mjs', 'server/src', 'contract/src', 'web/src'],
  ['unused code', 'knip'],
  ['types (web)', ...tsc, '-p', 'web'],
]

/** The compiler is a Go program that ends soon: without collecting garbage it takes a fifth less time, and 2 GB. */
const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '3GiB' }

const checking = new Set<ChildProcess>()
/** A quick check is a process group of its own: the compiler starts a process that would outlive it. */
const endChecks = () => checking.forEach(({ pid }) => void (pid && process.kill(-pid)))

const tests = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' })
const testsEnded = once(tests, 'close').then(([code]) => Number(code ?? 1))
/** Stops the database and the browsers of the tests as well, which would outlive them. */
const endTests = async (): Promise<void> => {
  tests.kill()
  await testsEnded
}
process.on('exit', endChecks)
// A terminal sends the first to the tests as well.
process.on('SIGINT', () => undefined).on('SIGTERM', endTests)

let hasFailed = false

const report = async (name: string, code: number, startedAt: number): Promise<void> => {
  // What is stopped because of it has not failed itself.
  if (hasFailed) return
  hasFailed = code !== 0
  const seconds = (performance.now() - startedAt) / 1000
  process.stdout.write(`  ${name}: ${code === 0 ? 'fine' : 'failed'}, ${seconds.toFixed(1)} s\n`)
  if (!hasFailed) return
  await endTests()
  process.exit(code)
}

const check = async ([name, command, ...args]: Check): Promise<void> => {
  const startedAt = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env })
  checking.add(child)
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const [[code], ...output] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  checking.delete(child)
  // What several print at the same time would be mixed up, so each is printed when it has ended.
  process.stdout.write(output.join(''))
  await report(name, Number(code ?? 1), startedAt)
}

const checkInTurn = async (): Promise<void> => {
  for (let next = quickChecks.shift(); next; next = quickChecks.shift()) await check(next)
}

const startedAt = performance.now()
const reportTests = async (): Promise<void> => report('tests', await testsEnded, startedAt)
await Promise.all([reportTests(), checkInTurn(), checkInTurn()])
await report('all', 0, startedAt)
