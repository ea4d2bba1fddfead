/**
 * `npm run chaos -- rolling [--seed N] [--only machine|nodes]`: one machine under a steady load whose servers are rolled,
 * killed and frozen, and whose supervisor is killed; then three nodes that are restarted one by one. Whatever was accepted
 * must be there exactly once, and no request may fail where something is only replaced.
 */
import { parseArgs } from 'node:util'
import { say } from '../say.ts'
import { runOneMachine } from './one-machine.ts'
import { runThreeNodes } from './three-nodes.ts'

const parts = { machine: runOneMachine, nodes: runThreeNodes }

export const usage = 'rolling [--seed <number>] [--only machine|nodes]'

/** Whether every promise was kept; undefined when the arguments make no sense. */
export const run = async (args: string[]): Promise<boolean | undefined> => {
  const { values } = parseArgs({
    args,
    options: { seed: { type: 'string', default: String(Date.now() % 100_000) }, only: { type: 'string' } },
  })
  const seed = Number(values.seed)
  const chosen = Object.entries(parts).filter(([name]) => values.only === undefined || values.only === name)
  if (!Number.isInteger(seed) || chosen.length === 0) return undefined
  say(`seed ${seed}`)
  let isKept = true
  for (const [, part] of chosen) isKept = (await part(seed)) && isKept
  return isKept
}
