/** Usage: how much everybody uses of the models, and how much they may. The public face of the module. */
import './tables.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import { admitCall } from './admit-call.ts'
import { createBooks } from './books.ts'
import type { UsageContext } from './context.ts'
import type { Usage } from './face.ts'
import { tokensOf } from './ledger.ts'
import { deleteLimitsOfUnscoped } from './queries/limits.ts'
import { limitRoutes } from './routes/limits.ts'
import { usageRoutes } from './routes/usage.ts'
import { limitsTopic } from './save-limit.ts'

export type { Meter, Usage, Use } from './face.ts'

const flushEveryMs = 1000
/** What other nodes counted, and limits whose signal was lost, arrive within this time. */
const refreshEveryMs = 2000

export interface UsageNeeds {
  kernel: Kernel
  organizations: Organizations
}

/** Limits are loaded before anybody can call a model, so that no call slips by them. */
export const createUsage = async ({ kernel, organizations }: UsageNeeds): Promise<Usage> => {
  const { db, clock, signals, tasks } = kernel
  const books = createBooks({ db, clock })
  const context: UsageContext = {
    ...{ ...kernel, books },
    groupsOf: organizations.grants.groupsOf,
    requireWritable: organizations.requireWritable,
  }

  signals.on(limitsTopic, () => tasks.run('usage.limits', books.refreshLimits))
  organizations.onChange(async (tx, event) => {
    if (event.type !== 'group_deleted') return
    await deleteLimitsOfUnscoped(tx, { subjectType: 'group', subjectId: event.unitId })
    await signals.send(tx, limitsTopic, 'changed')
  })
  await books.refreshLimits()

  return {
    meter: {
      admit: (actor) => admitCall(context, actor),
      record: (actor, use) => {
        const day = books.today()
        books.ledger.add(actor, use, day)
        books.tally.add(actor, tokensOf(use), day)
      },
    },
    routes: [...usageRoutes(context), ...limitRoutes(context)],
    start: (signal) => {
      tasks.every('usage.flush', { everyMs: flushEveryMs, signal }, books.flush)
      tasks.every('usage.refresh', { everyMs: refreshEveryMs, signal }, async () => {
        await books.refreshLimits()
        await books.refreshCounters()
      })
    },
    // Every module that calls models stops before this one, so this is the last flush.
    stop: books.flush,
  }
}
