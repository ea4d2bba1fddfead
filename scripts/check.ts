/** `npm test`: every check, the quick ones first. Stops at the first that fails. Arguments go to the test runner. */
import { spawnSync } from 'node:child_process'

/** TypeScript 7; the plain `tsc` is 6, which only dependency-cruiser needs (docs/decisions/0004). */
const tsc = 'node_modules/typescript7/bin/tsc'

const checks = [
  ['lint', 'biome', 'check', '.'],
  ['types (server)', 'node', tsc, '-p', 'server'],
  ['types (web)', 'node', tsc, '-p', 'web'],
  ['floors', 'depcruise', '--config', '.dependency-cruiser.mjs', 'server/src', 'contract/src', 'web/src'],
  ['unused code', 'knip'],
  ['tests', 'vitest', 'run', ...process.argv.slice(2)],
] as const

for (const [name, command, ...args] of checks) {
  const startedAt = performance.now()
  process.stdout.write(`\n— ${name}\n`)
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  if (status !== 0) {
    process.stdout.write(`\n${name} failed after ${seconds} s\n`)
    process.exit(status ?? 1)
  }
  process.stdout.write(`  ${name}: fine, ${seconds} s\n`)
}
