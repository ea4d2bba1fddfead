/** The event bus: publishes events, decides which workflows they start, and shows both. The module's public interface. */
import { createBatcher } from '#kernel/batcher.ts'
import './tables.ts'
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Settings } from '#modules/settings/index.ts'
import { createAnnouncer } from './announce.ts'
import type { EventBusConfig } from './config.ts'
import type { EventBusContext, FromAbove } from './context.ts'
import { type Dispatcher, startDispatcher } from './dispatch/dispatcher.ts'
import { ingestAccess } from './ingest-access.ts'
import type { EventBus } from './interface.ts'
import { lanesOf, lanesOfNode } from './lanes.ts'
import { reportEvents } from './metrics.ts'
import { partitionsJob } from './partitions.ts'
import { batchLimits } from './payload.ts'
import { findDecisionUnscoped } from './queries/deliveries.ts'
import { listEvents } from './queries/event-pages.ts'
import { type DraftedEvent, findEvent, listSinceUnscoped } from './queries/events.ts'
import { isEventQueuedUnscoped } from './queries/queued.ts'
import {
  deleteSubscriptionUnscoped,
  listSubscriptionsUnscoped,
  moveSubscriptionUnscoped,
} from './queries/subscriptions.ts'
import { eventsQuota, subscriptionsQuota } from './quotas.ts'
import { declareEventRetention, retentionJob } from './retention.ts'
import { deadLetterRoutes } from './routes/dead-letters.ts'
import { eventRoutes, type Live } from './routes/events.ts'
import { ingestRoutes } from './routes/ingest.ts'
import { draftEvent, storeEvents } from './store-events.ts'
import { startStreams } from './stream/streams.ts'
import { startTail } from './stream/tail.ts'
import { createSubscription } from './subscriptions/create-subscription.ts'
import { updateSubscription } from './subscriptions/update-subscription.ts'
import { tracePublished } from './trace-published.ts'

export type { EventBusConfig } from './config.ts'

export { chainHeader, openChain, sealChain } from './event-chain.ts'
export { checkFilter, filteredEvent, testFilters } from './filter.ts'
export * from './interface.ts'
export { laneOf, lanesOfNode } from './lanes.ts'
export { presentListed } from './present.ts'
export { eventsQuota } from './quotas.ts'

interface Deps extends FromAbove {
  kernel: Kernel<EventBusConfig>
  settings: Pick<Settings, 'register'>
  organizations: Pick<Organizations, 'requireWritable'>
}

/** SQLSTATE classes of bad data, violated constraints and PostgreSQL's own limits. */
const isDataFault = (problem: unknown): boolean => /^(22|23|54)/.test(String((problem as { code?: unknown }).code))

export const createEventBus = ({ kernel, settings, organizations, ...fromAbove }: Deps): EventBus => {
  const { config, db } = kernel
  const context: EventBusContext = {
    ...kernel,
    ...fromAbove,
    requireWritable: organizations.requireWritable,
    ports: { starter: undefined, listeners: [] },
  }
  const { ports } = context
  for (const quota of [eventsQuota, subscriptionsQuota]) kernel.quotas.declare(quota)
  const announcer = createAnnouncer(kernel)
  let dispatcher: Dispatcher | undefined
  let live: Live | undefined
  reportEvents(kernel, { streamWaitMs: () => live?.tail.waitedMs() ?? 0 })

  const wakeHere = (lanes?: readonly number[]): void => {
    if (lanes) dispatcher?.wake(lanes)
    else dispatcher?.wakeForFullScan()
    live?.tail.wake()
  }
  const wake = (lanes?: readonly number[]): void => {
    const own = lanesOfNode(kernel.nodes.id, kernel.nodes.workers())
    wakeHere(lanes?.filter((lane) => own.includes(lane)))
    // A dispatcher that looks for any tells those whose lanes it found.
    announcer.announce(lanes ?? (dispatcher ? [] : 'any'))
  }
  announcer.onPublishedElsewhere(wakeHere)

  const store = createBatcher({
    write: async (drafts: readonly DraftedEvent[]) => {
      const published = await storeEvents(context, db, drafts)
      if (published.some(({ duplicate }) => !duplicate)) wake(lanesOf(drafts.map(({ scopeId }) => scopeId)))
      return published
    },
    isItemsFault: isDataFault,
    maxParallel: 3,
    parallelFrom: batchLimits.events / 2,
    maxItems: batchLimits.events,
    weight: { of: ({ payloadJson }) => payloadJson.length, max: batchLimits.bytes },
  })
  const ingest: EventBus['ingest'] = async (event) => {
    const draft = draftEvent(context, event)
    const published = await store(draft)
    tracePublished(kernel, [draft], [published])
    return published
  }
  const getLive = (): Live => {
    if (!live) throw new AppError('not_ready')
    return live
  }

  return {
    publish: async (tx, events) => {
      const drafts = events.map((event) => draftEvent(context, event))
      const published = await storeEvents(context, tx, drafts)
      tracePublished(kernel, drafts, published)
      return published
    },
    ingest,
    wake: (scopeIds) => wake(scopeIds && lanesOf(scopeIds)),
    registerRunStarter: (starter) => {
      ports.starter = starter
    },
    registerListener: (listener) => void ports.listeners.push(listener),
    createSubscription: (tx, subscription) => createSubscription(context, tx, subscription),
    updateSubscription,
    // Its decisions stay readable.
    deleteSubscription: deleteSubscriptionUnscoped,
    moveSubscription: moveSubscriptionUnscoped,
    listSubscriptionsUnscoped,
    listSinceUnscoped,
    findDecisionUnscoped,
    isQueuedUnscoped: isEventQueuedUnscoped,
    findEvent,
    listRecent: async (on, actor, { eventType, limit }) =>
      (await listEvents(on, actor, { eventType, limit, bytes: batchLimits.bytes, order: 'desc' })).events,
    routes: [
      ...ingestRoutes(context, { ingest }),
      ...deadLetterRoutes(context, { onRetried: () => dispatcher?.wakeForFullScan() }),
      ...eventRoutes(context, getLive),
    ],
    accessKinds: [ingestAccess(config.SVC_EVENT_API_KEY)],
    jobs: [retentionJob(context, declareEventRetention(settings)), partitionsJob(context)],
    start: (signal) => {
      live = { tail: startTail(context, signal), streams: startStreams(context, signal) }
      if (config.SVC_ROLE !== 'api') dispatcher = startDispatcher(context, { signal, onFound: announcer.announce })
    },
  }
}
