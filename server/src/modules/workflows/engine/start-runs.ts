/** The bus' port: runs for the events that fire, in the transaction of their dispatch. */
import type { Db } from '#kernel/db/database.ts'
import type { EventListener, Firing, FiringResult, RunStarter } from '#modules/event-bus/index.ts'
import type { LiveVersion, NewRun } from '../engine-face.ts'
import { findLiveVersionsUnscoped, holdWorkflowsUnscoped } from '../queries/live-versions.ts'
import { findOpenScopes } from '../triggers/is-scope-open.ts'
import { findWebhookOf } from '../triggers/webhook-source.ts'
import type { EngineContext } from './context.ts'
import { draftRun, type Holder, insertDrafts } from './create-runs.ts'
import { eventState } from './event-state.ts'
import { hearEvents } from './hear-events.ts'
import type { RunRow } from './queries/claims.ts'

/** The event of a webhook, heard by the workflow it was made for, is a start by that webhook. */
const triggerOf = (subscription: Firing['subscription']): NewRun['trigger'] => {
  const webhookId = findWebhookOf(subscription)
  return webhookId === undefined ? { kind: 'event', id: subscription.id } : { kind: 'webhook', id: webhookId }
}

const newRun = ({ event, subscription }: Firing, live: LiveVersion): NewRun => ({
  live,
  trigger: triggerOf(subscription),
  input: { _event: eventState(event) },
  ...{ eventId: event.eventId, correlationId: event.correlationId, userId: live.authorId, parent: null },
  ...{ isOnePerCorrelation: subscription.concurrency === 'one_per_correlation', catalogId: subscription.catalogId },
  spaceId: subscription.spaceId ?? live.spaceId,
  cause: { hop: event.hop, chain: event.chain, rootEventId: event.rootEventId },
})

const notPublished: FiringResult = {
  decision: 'workflow_not_published',
  runId: null,
  reason: 'The workflow has no published version that may be started.',
}

const scopeClosed: FiringResult = {
  decision: 'workflow_not_published',
  runId: null,
  reason: 'The organization is closed (deactivated or read-only), or the person whose workflow it is has left.',
}

interface Hands {
  /** For so many runs there is room here, with a lease. */
  offer(): { free: number; holder: Holder }
  takeUp(run: RunRow): void
  wake(): void
}

export interface Starter extends RunStarter {
  listen: EventListener
}

/**
 * Runs for which there is room are made as this node's own and begin the moment the dispatch has committed, without
 * being looked for. The bus dispatches one batch after the other; what a batch that failed had made is forgotten.
 */
export const createStarter = (context: EngineContext, { offer, takeUp, wake }: Hands): Starter => {
  let made: { tx: Db; runs: RunRow[] } | undefined
  let nudged: string[] = []

  return {
    start: async (tx, firings) => {
      made = { tx, runs: [] }
      const workflowIds = [...new Set(firings.map(({ subscription }) => subscription.workflowId))]
      await holdWorkflowsUnscoped(tx, workflowIds)
      const live = await findLiveVersionsUnscoped(tx, workflowIds)
      const scopeIds = [...live.values()].map(({ scopeId }) => scopeId)
      const open = await findOpenScopes(context, tx, scopeIds)
      const { free, holder } = offer()
      const drafts = firings.flatMap((firing) => {
        const version = live.get(firing.subscription.workflowId)
        return version && open.has(version.scopeId) ? [{ firing, version }] : []
      })
      const rows = drafts.map(({ firing, version }, place) =>
        draftRun(context.kernel, newRun(firing, version), place < free ? holder : undefined),
      )
      const created = await insertDrafts(tx, rows)
      made.runs = rows.filter((row, place) => 'runId' in (created[place] ?? {}) && row.leaseNode !== null) as RunRow[]
      const results = new Map(drafts.map(({ firing }, place) => [firing, created[place]]))
      return firings.map((firing) => {
        const result = results.get(firing)
        if (!result) return live.has(firing.subscription.workflowId) ? scopeClosed : notPublished
        if ('runId' in result) return { decision: 'fired', runId: result.runId, reason: null }
        const reason = `Run ${result.blockedBy} of the same correlation is under way.`
        return { decision: 'skipped_active_run', runId: result.blockedBy, reason }
      })
    },
    listen: async (tx, dispatched) => {
      // Told in every dispatch, after its runs were made: what another transaction made did not come to be.
      if (made?.tx !== tx) made = undefined
      nudged = await hearEvents(context, tx, dispatched)
    },
    onCommitted: () => {
      // Most events start nothing and are waited for by nobody: then there is nothing to look for.
      const hasNews = made !== undefined || nudged.length > 0
      for (const run of made?.runs ?? []) takeUp(run)
      made = undefined
      if (nudged.length > 0) context.changes.nudge(nudged)
      nudged = []
      if (hasNews) wake()
    },
  }
}
