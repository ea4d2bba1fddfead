/**
 * `npm test`: the quick checks two at a time, then the tests. Stops at the first that fails. Arguments go to the test
 * runner.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { workerFlags } from '../server/test/harness/worker-flags.ts'

/**
 * TypeScript 7; the plain `tsc` is 6, which only dependency-cruiser needs (docs/decisions/0004). With more than one
 * checker it does much of its work twice, and the other core has another check.
 */
const tsc = ['node', 'node_modules/typescript7/bin/tsc', '--checkers', '1'] as const

type Check = readonly [name: string, command: string, ...args: string[]]

/** The long ones first, so that neither core waits at the end; the last one uses both. */
const quickChecks: Check[] = [
  ['types (server)', ...tsc, '-p', 'server'],
  ['floors', 'depcruise', '--config', '.dependency-cruiser.mjs', 'server/src', 'contract/src', 'web/src'],
  ['types (web)', ...tsc, '-p', 'web'],
  ['unused code', 'knip'],
  // Not a check: the tests need it. If they created it themselves, one core would wait meanwhile.
  ['template database', 'node', ...workerFlags, 'server/test/harness/template-cluster.ts'],
  ['lint', 'biome', 'check', '.'],
]

/** The compiler is a Go program that ends soon: without collecting garbage it takes a fifth less time, and 2 GB. */
const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '3GiB' }

const running = new Set<ChildProcess>()
/** A quick check is a process group of its own: the compiler starts a process that would outlive it. */
const endGroups = () => running.forEach(({ pid }) => void (pid && process.kill(-pid)))
const stop = () => process.exit(1)
process.on('exit', endGroups).on('SIGINT', stop).on('SIGTERM', stop)

const report = (name: string, code: number, startedAt: number): void => {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`  ${name}: ${code === 0 ? 'fine' : 'failed'}, ${seconds} s\n`)
  if (code !== 0) process.exit(code)
}

const run = async ([name, command, ...args]: Check): Promise<void> => {
  const startedAt = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env })
  running.add(child)
  const ended = new Promise<number>((resolve, reject) =>
    child.once('error', reject).once('close', (code) => resolve(code ?? 1)),
  )
  const [code, ...output] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  running.delete(child)
  // What two checks print at the same time would be mixed up, so each is printed when it has ended.
  process.stdout.write(output.join(''))
  report(name, code, startedAt)
}

/**
 * A process that wakes up does not interrupt the one that is running. With more workers than cores that saves a third of
 * the context switches, and 4 % of the time: 170 s instead of 176 with a browser, 306 instead of 321 without.
 */
const inBatches = (): string[] => {
  const isThere = spawnSync('chrt', ['--batch', '0', 'true']).status === 0
  return isThere ? ['chrt', '--batch', '0'] : []
}

const runInTurn = async (): Promise<void> => {
  for (let check = quickChecks.shift(); check; check = quickChecks.shift()) await run(check)
}
await Promise.all([runInTurn(), runInTurn()])

process.off('SIGINT', stop).off('SIGTERM', stop)
const [program = '', ...args] = [...inBatches(), 'vitest', 'run']
const startedAt = performance.now()
const { status } = spawnSync(program, [...args, ...process.argv.slice(2)], { stdio: 'inherit' })
report('tests', status ?? 1, startedAt)
// Since the start of this process.
report('all', 0, 0)
