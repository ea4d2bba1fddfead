/** Models: connections, access, and the one way to call a model. The module's public interface. */
import './tables.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Meter } from '#kernel/meter.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import { listRuntimes, resolveBackends } from './call/backends.ts'
import { openPrivateModels } from './call/private-models.ts'
import { resolveModel } from './call/resolve-model.ts'
import type { ModelsConfig } from './config.ts'
import { connectionsOfEnvironment } from './connections/environment.ts'
import { createLiveConnections } from './connections/live-connections.ts'
import { createModelMetrics } from './connections/metrics.ts'
import { connectionRoutes } from './connections/routes.ts'
import { settingsOf } from './connections/stored-connection.ts'
import type { ModelsContext } from './context.ts'
import { compatDriver } from './drivers/compat.ts'
import { upstreamDriver } from './drivers/upstream.ts'
import { guide } from './guide/guide.ts'
import type { ModelSource, Models } from './interface.ts'
import { createModelAnnouncer } from './records/announce-models.ts'
import { createCatalog } from './records/catalog.ts'
import { handOverModels } from './records/hand-over-models.ts'
import { listModels } from './records/list-models.ts'
import { modelDefaultsRoutes } from './records/routes/model-defaults.ts'
import { modelRoutes } from './records/routes/models.ts'

export { CallAccount } from './call/call-account.ts'
export { type CountedCall, countCall, type OnSpent } from './call/count-call.ts'
export type { ModelsConfig } from './config.ts'
export { foldName } from './drivers/fold-name.ts'
export { allowedOf } from './drivers/runtime-settings.ts'
export { allSteeringFields, isSteeringField } from './drivers/steering-fields.ts'
export { nativeOptions } from './drivers/upstream-request.ts'
export { isGuide } from './guide/guide.ts'
export * from './interface.ts'
export { cleanChunk, cleanTyped, withoutEvent } from './stream/clean-frames.ts'
export { budgetEnded } from './stream/counted-flow.ts'
export { readUsage, tokensOf } from './stream/estimate.ts'
export { FrameReader } from './stream/frame-reader.ts'
export { textBytesIn } from './stream/frame-shape.ts'
export { errorIn, errorOf } from './stream/provider-errors.ts'

export interface ModelsNeeds {
  kernel: Kernel<ModelsConfig>
  accounts: Pick<Accounts, 'registerDeletionHandler'>
  organizations: ModelsContext['organizations']
  /** Without it no browser is told of changes. */
  realtime?: Pick<Realtime, 'topics'>
  /** Counts usage and refuses calls beyond a limit. Every call passes it. */
  meter: Meter
  /** A request waits this long for a connection that does not answer. */
  maxWaitMs?: number | undefined
}

/** Stored records are loaded before the first request; connections are contacted later. */
export const createModels = async (needs: ModelsNeeds): Promise<Models> => {
  const { kernel, accounts, organizations, meter: counting, maxWaitMs = 2000 } = needs
  const fixed = connectionsOfEnvironment(kernel.config)
  const drivers = { compat: compatDriver, upstream: upstreamDriver }
  const counts = createModelMetrics(kernel.metrics)
  const connections = createLiveConnections({ kernel, drivers, fixed, counts })
  let isStarted = false
  const { grants } = organizations
  const announcer = needs.realtime && createModelAnnouncer({ kernel, grants, topics: needs.realtime.topics })
  const catalog = await createCatalog({
    kernel,
    announcer,
    settingsOf: (row) => settingsOf(kernel, row),
    onConnections: (stored) => {
      connections.replace(stored)
      if (isStarted) connections.touch()
    },
  })
  organizations.onChange(async (tx, event) => {
    // The grants of a deleted group are gone.
    if (event.type === 'group_deleted') await catalog.announcePrincipal(tx, event.unitId)
  })
  accounts.registerDeletionHandler(handOverModels(catalog))
  const sources: ModelSource[] = [guide]
  const meter: Meter = {
    reserve: (...call) => counting.reserve(...call),
    record: (payer, use, reservation) => {
      counts.onUse(use)
      counting.record(payer, use, reservation)
    },
  }
  const context: ModelsContext = {
    maxWaitMs,
    kernel,
    organizations,
    catalog,
    connections,
    drivers,
    fixed,
    sources,
    meter,
  }

  return {
    meter,
    list: (actor) => listModels(context, actor),
    resolve: (actor, modelId) => resolveModel(context, actor, modelId),
    resolveBackends: (actor, modelId) => resolveBackends(context, actor, modelId),
    hasUnreadLists: () => connections.all().some(({ list }) => list.models === undefined),
    listRuntimes: () => listRuntimes(context),
    openPrivate: (privateConnections) => openPrivateModels(context, privateConnections),
    registerSource: (source) => void sources.push(source),
    routes: [...modelRoutes(context), ...modelDefaultsRoutes(context), ...connectionRoutes(context)],
    start: (signal) => {
      isStarted = true
      catalog.start(signal)
      connections.touch()
    },
    stop: async () => connections.close(),
  }
}
