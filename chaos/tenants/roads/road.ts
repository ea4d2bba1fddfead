/** A way in which one tenant may take what all share. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../server/src/kernel/db/database.ts'
import type { Client, Reply } from '../../../server/test/harness/client.ts'
import type { Account, AccountOptions } from '../../accounts.ts'

/** What an attack is made of. */
export interface Field {
  addresses: readonly string[]
  db: Db
  /** Where the shared model is, and where the attacker's own servers are. */
  model: string
  hostile: string
  /** The platform admin, for what every installation has set up: tool servers, budgets. */
  owner: Client
  /** An ordinary account of its own tenant; requests that it makes are counted. */
  newAttacker(options?: Omit<AccountOptions, 'onReply'>): Promise<Account>
}

export interface Attack {
  /** Goes on until the signal aborts. Calls under way may be left. */
  run(signal: AbortSignal): Promise<void>
  /** What it got that it must not have got, read afterwards. */
  findBreaches?(): Promise<string[]>
}

export type VictimName = 'run' | 'chat' | 'pages' | 'code' | 'chain' | 'upload' | 'seal'

export interface Road {
  name: string
  /** Of the table in docs/decisions or the issue on isolation. */
  rows: string
  what: string
  /** Besides the three that every road has: run, chat and pages. */
  victims?: readonly VictimName[]
  prepare(field: Field): Promise<Attack>
}

/** A refused attacker tries again so soon. A flood of refused requests is another attack. */
const refusedMs = 100

const isRefused = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'status' in result && (result as Reply).status >= 400

/** Works in so many lanes until the signal aborts. Each gets the number of its turn. */
export const flood = async (
  signal: AbortSignal,
  lanes: number,
  work: (turn: number) => Promise<unknown>,
): Promise<void> => {
  let turn = 0
  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      turn += 1
      const result = await work(turn).catch(() => ({ status: 599 }))
      if (isRefused(result)) await sleep(refusedMs)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
