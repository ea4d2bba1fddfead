/** Usage: counts what callers use of the models and enforces limits. The module's public interface. */
import './tables.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { createSharedCopy } from '#kernel/shared-copy.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { UsageContext } from './context.ts'
import type { Usage } from './interface.ts'
import { tokensOf } from './pending-usage.ts'
import { deleteLimitsOfUnscoped } from './queries/limits.ts'
import { reserveCall } from './reserve-call.ts'
import { limitRoutes } from './routes/limits.ts'
import { usageRoutes } from './routes/usage.ts'
import { createUsageState } from './usage-state.ts'

export type { Usage } from './interface.ts'

/** A node's reservations lapse after two minutes without this. */
const renewEveryMs = 30_000

export interface UsageNeeds {
  kernel: Kernel
  accounts: Pick<Accounts, 'registerDeletionHandler'>
  organizations: Organizations
  /** The time between writes of recorded usage. */
  flushEveryMs?: number | undefined
  /** Usage counted by other nodes is picked up within this time. */
  refreshEveryMs?: number
}

/** Limits are loaded before the first model call, so that none escapes them. */
export const createUsage = async (needs: UsageNeeds): Promise<Usage> => {
  const { kernel, accounts, organizations, flushEveryMs = 1000, refreshEveryMs = 2000 } = needs
  const { config, db, clock, ids, tasks } = kernel
  // With an embedded database this process is its only user.
  const state = createUsageState({ db, clock, ids, hasOtherNodes: config.DATABASE_URL !== undefined })
  const limitsCopy = await createSharedCopy({ kernel, topic: 'usage_limits', load: state.loadLimits })
  const context: UsageContext = {
    ...kernel,
    state,
    limitsCopy,
    groupsOf: organizations.grants.groupsOf,
    requireWritable: organizations.requireWritable,
  }

  // Announced before the rows are locked, in the same order as in `change`, so that two of these can't deadlock.
  organizations.onChange(async (tx, event) => {
    if (event.type !== 'group_deleted') return
    await limitsCopy.announce(tx)
    await deleteLimitsOfUnscoped(tx, { subjectType: 'group', subjectId: event.unitId })
  })
  // Their usage stays in the reports of their organization.
  accounts.registerDeletionHandler(async (tx, { user }) => {
    await limitsCopy.announce(tx)
    await deleteLimitsOfUnscoped(tx, { subjectType: 'user', subjectId: user.id })
  })

  return {
    meter: {
      reserve: (payer, wanted, options) => reserveCall(context, payer, { wanted, ...options }),
      record: (payer, use, reservation) => {
        const day = state.today()
        state.pending.add(payer, use, day)
        state.counters.add(payer, tokensOf(use), day)
        reservation?.release()
      },
    },
    routes: [...usageRoutes(context), ...limitRoutes(context)],
    start: (signal) => {
      const { shared } = state
      if (shared) tasks.every('usage.reservations', { everyMs: renewEveryMs, signal }, shared.renew)
      tasks.every('usage.flush', { everyMs: flushEveryMs, signal }, state.flush)
      tasks.every('usage.refresh', { everyMs: refreshEveryMs, signal }, state.refreshCounters)
      limitsCopy.start(signal)
    },
    // Every module that calls models stops before this one, so this is the last flush.
    stop: state.flush,
  }
}
