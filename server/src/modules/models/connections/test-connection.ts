/** Tests a connection before it is saved, by reading its models. Nothing is changed. */
import type { ConnectionTest, ConnectionTestBody } from '@chancery/contract/models/connections.ts'
import type { z } from 'zod'
import type { ModelsContext } from '../context.ts'
import { problemIn } from '../stream/provider-errors.ts'
import { type ConnectionSettings, withoutTrailingSlash } from './connection.ts'
import { createLiveConnection } from './live-connection.ts'

const maxWaitMs = 10_000
const mostShown = 1000

export const testConnection = async (
  { kernel, connections, drivers }: ModelsContext,
  { body, signal }: { body: z.output<typeof ConnectionTestBody>; signal: AbortSignal },
): Promise<z.input<typeof ConnectionTest>> => {
  const url = withoutTrailingSlash(body.url)
  const settings: ConnectionSettings = {
    id: kernel.ids.next(),
    type: body.type,
    name: body.name,
    url,
    source: 'database' as const,
    key: body.key ?? (body.key === null ? null : savedKey(connections.configured(), body.id, url)),
    prefixId: null,
    modelIds: null,
    tags: [],
    enabled: true,
    timeoutSec: null,
    prices: {},
    createdAt: null,
    updatedAt: null,
  }
  const { list } = createLiveConnection({
    settings,
    clock: kernel.clock,
    outbound: kernel.outbound,
    driver: drivers[body.type],
    signal,
    known: undefined,
    defaultTimeoutMs: maxWaitMs,
    listTimeoutMs: maxWaitMs,
    onRead: () => undefined,
  })
  const startMs = performance.now()
  await list.refresh(0)
  const latency = Math.round((performance.now() - startMs) * 10) / 10
  return {
    reachable: list.problem === undefined,
    problem: list.problem === undefined ? null : problemIn(list.problem),
    latency_ms: latency,
    models: (list.models ?? []).slice(0, mostShown).map(({ id }) => id),
  }
}

/** A saved key is used only for the server it was entered for. */
const savedKey = (all: readonly ConnectionSettings[], id: string | undefined, url: string): string | null => {
  const saved = all.find((settings) => settings.id === id)
  return saved && new URL(saved.url).origin === new URL(url).origin ? saved.key : null
}
