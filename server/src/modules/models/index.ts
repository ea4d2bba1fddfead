/** Models: connections, access, and the one way to call a model. The module's public face. */
import './tables.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Meter } from '#kernel/meter.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import { listRuntimes, resolveBackends } from './backends.ts'
import { createCatalog } from './catalog.ts'
import type { ModelsContext } from './context.ts'
import { compatDriver } from './drivers/compat.ts'
import { upstreamDriver } from './drivers/upstream.ts'
import { connectionsOfEnvironment } from './environment.ts'
import type { ModelSource, Models } from './face.ts'
import { guide } from './guide/guide.ts'
import { handOverModels } from './hand-over-models.ts'
import { listModels } from './list-models.ts'
import { createLiveConnections } from './live-connections.ts'
import { createModelMetrics } from './metrics.ts'
import { openPrivateModels } from './private-models.ts'
import { resolveModel } from './resolve-model.ts'
import { connectionRoutes } from './routes/connections.ts'
import { modelDefaultsRoutes } from './routes/model-defaults.ts'
import { modelRoutes } from './routes/models.ts'
import { settingsOf } from './stored-connection.ts'

export { cleanChunk, cleanTyped, FrameCleaner, withoutEvent } from './clean-frames.ts'
export { type CountedCall, countCall, type OnSpent } from './count-call.ts'
export { nativeOptions } from './drivers/upstream-request.ts'
export { promptTokensOf, readUsage, replyTokensOf, tokensOf } from './estimate.ts'
export * from './face.ts'
export { foldName } from './fold-name.ts'
export { isGuide } from './guide/guide.ts'
export { errorIn, errorOf } from './provider-errors.ts'

export { allowedOf } from './runtime-settings.ts'
export { allSteeringFields, isSteeringField } from './steering-fields.ts'

export interface ModelsNeeds {
  kernel: Kernel
  accounts: Pick<Accounts, 'registerDeletionHandler'>
  organizations: ModelsContext['organizations']
  /** How long a request waits for a connection that does not answer. */
  maxWaitMs?: number | undefined
}

/** Stored records are loaded before the first request; connections are contacted later. */
export const createModels = async (needs: ModelsNeeds): Promise<Models> => {
  const { kernel, accounts, organizations, maxWaitMs = 2000 } = needs
  const fixed = connectionsOfEnvironment(kernel.config)
  const drivers = { compat: compatDriver, upstream: upstreamDriver }
  const counts = createModelMetrics(kernel.metrics)
  const connections = createLiveConnections({ kernel, drivers, fixed, counts })
  let isStarted = false
  const catalog = await createCatalog({
    kernel,
    settingsOf: (row) => settingsOf(kernel, row),
    onConnections: (stored) => {
      connections.replace(stored)
      if (isStarted) connections.touch()
    },
  })
  organizations.onChange(async (tx, { type }) => {
    // The grants of a deleted group are gone.
    if (type === 'group_deleted') await catalog.announce(tx)
  })
  accounts.registerDeletionHandler(handOverModels(catalog))
  const sources: ModelSource[] = [guide]
  let registered: Meter | undefined
  const meter: Meter = {
    reserve: (...call) => registered?.reserve(...call),
    record: (payer, use, reservation) => {
      counts.onUse(use)
      registered?.record(payer, use, reservation)
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
    registerMeter: (given) => {
      registered = given
    },
    routes: [...modelRoutes(context), ...modelDefaultsRoutes(context), ...connectionRoutes(context)],
    start: (signal) => {
      isStarted = true
      catalog.start(signal)
      connections.touch()
    },
    stop: async () => connections.close(),
  }
}
