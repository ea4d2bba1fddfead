/**
 * `npm test`: the quick checks two at a time, then the tests. Stops at the first check that fails. Arguments go to the
 * test runner.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'

/**
 * TypeScript 7; the plain `tsc` is 6, which only dependency-cruiser needs (docs/decisions/0004). With more than one
 * checker it does much of its work twice, and the other core has another check.
 */
const tsc = ['node', 'node_modules/typescript7/bin/tsc', '--checkers', '1'] as const

type Check = readonly [name: string, command: string, ...args: string[]]

/** The long ones first, so that neither core waits at the end; the last one uses both. */
const quickChecks: Check[] = [
  ['types (server)', ...tsc, '-p', 'server'],
  [
    'floors',
    'depcruise',
    '--config',
    '.dependency-cruiser.mjs',
    'server/src',
    'client/src',
    'client/cli',
    'contract/src',
    'expression/src',
    'web/src',
  ],
  ['folders', 'node', 'scripts/house-laws.ts'],
  ['types (web)', ...tsc, '-p', 'web'],
  ['unused code', 'knip'],
  ['API description', 'npm', 'run', '--silent', 'api'],
  // Not a check: the tests need it. If they created it themselves, one core would wait meanwhile.
  ['template database', 'node', 'server/test/harness/template-cluster.ts'],
  ['lint', 'biome', 'check', '.'],
]

/** The compiler is a Go program that ends soon: without collecting garbage it takes a fifth less time, and 2 GB. */
const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '3GiB' }

const running = new Set<ChildProcess>()

/** Output of two at the same time would be mixed up, so it is printed at the end. */
const printedAtEnd: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe']

const run = async ([name, command, ...args]: Check, options: SpawnOptions): Promise<number> => {
  const startedAt = performance.now()
  const child = spawn(command, args, options)
  running.add(child)
  const ended = new Promise<number>((resolve, reject) =>
    child.once('error', reject).once('close', (code) => resolve(code ?? 1)),
  )
  const output = [child.stdout, child.stderr].map((stream) => stream && text(stream))
  const code = await ended
  running.delete(child)
  process.stdout.write((await Promise.all(output)).join(''))
  report(name, code, startedAt)
  return code
}

const report = (name: string, code: number, startedAt: number): void => {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`  ${name}: ${code === 0 ? 'fine' : 'failed'}, ${seconds} s\n`)
}

/** A quick check is a process group of its own: the compiler starts a process that would outlive it. */
const runQuickChecks = async (): Promise<void> => {
  for (let check = quickChecks.shift(); check; check = quickChecks.shift()) {
    const code = await run(check, { stdio: printedAtEnd, detached: true, env })
    if (code !== 0) process.exit(code)
  }
}

/**
 * A process that wakes up does not interrupt the one that is running. With more workers than cores that saves a third of
 * the context switches, and 4 % of the time: 170 s instead of 176 with a browser, 306 instead of 321 without.
 */
const inBatches = ['chrt', '--batch', '0'] as const
const canBatch = spawnSync(inBatches[0], [...inBatches.slice(1), 'true']).status === 0

const vitest = (name: string, ...args: string[]): Check =>
  canBatch ? [name, ...inBatches, 'vitest', 'run', ...args] : [name, 'vitest', 'run', ...args]

/**
 * Those with a browser beside the others: three workers and one browser in all. One after the other, with three workers
 * and three browsers, they take 4 % longer: 480 s instead of 460, and 927 s of processor time instead of 880.
 */
const runAllTests = (): Promise<number[]> =>
  Promise.all([
    run(vitest('tests with a browser', '--project', 'browser', '--maxWorkers', '1'), { stdio: printedAtEnd }),
    run(vitest('tests without a browser', '--project', 'node', '--maxWorkers', '2'), { stdio: 'inherit' }),
  ])

const runTests = async (args: string[]): Promise<number[]> =>
  args.length > 0 ? [await run(vitest('tests', ...args), { stdio: 'inherit' })] : runAllTests()

const endGroups = () => running.forEach(({ pid }) => void (pid && process.kill(-pid)))
const stop = () => process.exit(1)
process.on('exit', endGroups).on('SIGINT', stop).on('SIGTERM', stop)
await Promise.all([runQuickChecks(), runQuickChecks()])
process.off('exit', endGroups).off('SIGINT', stop).off('SIGTERM', stop)

// The runners stop what they have started. Control+C reaches them too.
process.on('SIGINT', () => {}).on('SIGTERM', () => running.forEach((runner) => void runner.kill()))
const codes = await runTests(process.argv.slice(2))
process.exitCode = Math.max(...codes)
// Since the start of this process.
report('all', process.exitCode, 0)
