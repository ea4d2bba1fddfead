/** Rates counted in the caller's transaction: exact, the same for all nodes, and undone with what they were counted for. */
import type { Db } from '../db/database.ts'
import { type Rate, spend } from '../limits/gcra.ts'
import { lockDebtsUnscoped, saveDebtsUnscoped } from './queries/debts.ts'

export interface Charge {
  key: string
  /** Of `most` 0 nothing is counted. */
  rate: Rate
  times: number
}

export interface Refused<One extends Charge> {
  charge: One
  retryAfterSec: number
}

const limited = <One extends Charge>(charges: readonly One[]): One[] => charges.filter(({ rate }) => rate.max > 0)

/** All together or none. A charge that is refused and `isSpared` is left out. */
export const chargeAll = async <One extends Charge>(
  tx: Db,
  nowUs: number,
  {
    charges: given,
    isSpared = async () => false,
  }: { charges: readonly One[]; isSpared?(charge: One): Promise<boolean> },
): Promise<Refused<One> | undefined> => {
  const charges = limited(given)
  if (charges.length === 0) return undefined
  const debts = await lockDebtsUnscoped(
    tx,
    charges.map(({ key }) => key),
  )
  const spent = new Map<string, number>()
  for (const charge of charges) {
    const debt = spent.get(charge.key) ?? debts.get(charge.key)
    const { allowed, retryAfterUs, paidOffAtUs } = spend(debt, nowUs, charge.rate, charge.times)
    if (allowed) spent.set(charge.key, paidOffAtUs)
    else if (!(await isSpared(charge))) return { charge, retryAfterSec: Math.ceil(retryAfterUs / 1_000_000) }
  }
  await saveDebtsUnscoped(tx, spent)
  return undefined
}

/** For what can't be refused: the milliseconds until all allow it. Undefined, and nothing counted, beyond `maxWaitMs`. */
export const scheduleAll = async (
  tx: Db,
  nowUs: number,
  { charges: given, maxWaitMs }: { charges: readonly Charge[]; maxWaitMs: number },
): Promise<number | undefined> => {
  const charges = limited(given)
  if (charges.length === 0) return 0
  const debts = await lockDebtsUnscoped(
    tx,
    charges.map(({ key }) => key),
  )
  const spent = new Map<string, number>()
  let waitUs = 0
  for (const { key, rate, times } of charges) {
    const windowUs = rate.windowSec * 1_000_000
    const after = Math.max(spent.get(key) ?? debts.get(key) ?? nowUs, nowUs) + Math.floor(windowUs / rate.max) * times
    spent.set(key, after)
    waitUs = Math.max(waitUs, after - nowUs - windowUs)
  }
  if (waitUs > maxWaitMs * 1000) return undefined
  await saveDebtsUnscoped(tx, spent)
  return Math.ceil(waitUs / 1000)
}
