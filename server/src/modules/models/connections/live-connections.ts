/** All enabled connections, and which of them serves which model. */
import { endsWithin } from '#kernel/ends-within.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { ModelsConfig } from '../config.ts'
import type { Driver } from '../drivers/driver.ts'
import type { ConnectionSettings } from './connection.ts'
import { createLiveConnection, type LiveConnection, type ServedModel } from './live-connection.ts'
import type { ModelMetrics } from './metrics.ts'
import type { ModelList } from './model-list.ts'

export interface LiveConnections {
  /** All connections, including disabled ones. */
  configured(): readonly ConnectionSettings[]
  /** The enabled ones. */
  all(): readonly LiveConnection[]
  find(id: string): LiveConnection | undefined
  /** The connections that serve this model, in their order. */
  servers(modelId: string): readonly ServedModel[]
  /** Every model with the connections that serve it. */
  models(): ReadonlyMap<string, readonly ServedModel[]>
  /** Replaces the stored connections. An unchanged one keeps its list, its health and its running calls. */
  replace(settings: readonly ConnectionSettings[]): void
  /** Starts to refresh lists that are due. Costs one comparison where none is. */
  touch(): void
  /** Reads the chosen lists that are older than `minAgeMs`, and waits at most `waitMs`. */
  refresh(options: { which: (list: ModelList) => boolean; minAgeMs: number; waitMs: number }): Promise<void>
  /** Aborts running reads. */
  close(): void
}

/** Never read, successfully or not: its models are unknown. */
export const isUnread = (list: ModelList): boolean => list.checkedAt === null && list.models === undefined

interface Options {
  kernel: Pick<Kernel<ModelsConfig>, 'config' | 'clock' | 'outbound' | 'tasks'>
  drivers: Record<ConnectionSettings['type'], Driver>
  fixed: readonly ConnectionSettings[]
  counts: ModelMetrics
}

export const createLiveConnections = ({ kernel, drivers, fixed, counts }: Options): LiveConnections => {
  const { config, clock, outbound, tasks } = kernel
  let configured: readonly ConnectionSettings[] = fixed
  let connections: readonly LiveConnection[] = []
  let index: Map<string, ServedModel[]> | undefined
  let nextReadAt = 0
  const closing = new AbortController()

  const forgetIndex = (): void => {
    index = undefined
    nextReadAt = Math.min(...connections.map(({ list }) => list.nextReadAt))
  }
  const open = (settings: ConnectionSettings): LiveConnection => {
    const before = connections.find((other) => other.settings.id === settings.id)
    if (before && isSame(before.settings, settings)) return before
    const keepsList = before?.settings.url === settings.url && before.settings.type === settings.type
    return createLiveConnection({
      settings,
      clock,
      outbound,
      onRead: forgetIndex,
      driver: drivers[settings.type],
      signal: closing.signal,
      onAttempt: counts.attemptsOf(settings.name),
      known: keepsList ? before.list.models : undefined,
      defaultTimeoutMs: config.HTTP_CLIENT_TIMEOUT * 1000,
      listTimeoutMs: config.HTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST * 1000,
    })
  }
  const models = (): Map<string, ServedModel[]> => {
    index ??= indexOf(connections)
    return index
  }

  return {
    models,
    configured: () => configured,
    all: () => connections,
    find: (id) => connections.find(({ settings }) => settings.id === id),
    servers: (modelId) => models().get(modelId) ?? [],
    replace: (stored) => {
      configured = [...fixed, ...stored]
      connections = configured.filter(({ enabled }) => enabled).map(open)
      forgetIndex()
    },
    touch: () => {
      const now = clock.now().getTime()
      if (now < nextReadAt) return
      nextReadAt = Number.POSITIVE_INFINITY
      for (const { list } of connections) if (list.nextReadAt <= now) tasks.run('models.list', () => list.refresh(0))
    },
    refresh: async ({ which, minAgeMs, waitMs }) => {
      const chosen = connections.map(({ list }) => list).filter(which)
      if (chosen.length > 0) await endsWithin(Promise.all(chosen.map((list) => list.refresh(minAgeMs))), waitMs)
    },
    close: () => closing.abort(),
  }
}

const isSame = (one: ConnectionSettings, other: ConnectionSettings): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const indexOf = (connections: readonly LiveConnection[]): Map<string, ServedModel[]> => {
  const index = new Map<string, ServedModel[]>()
  for (const connection of connections)
    for (const served of connection.serves()) {
      const others = index.get(served.id)
      if (others) others.push(served)
      else index.set(served.id, [served])
    }
  return index
}
