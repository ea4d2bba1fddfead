/** One enabled connection: the client that reaches it, the models it serves, and which calls it may take. */
import type { Clock } from '#kernel/clock.ts'
import { hostPortOf, type Outbound, type OutboundReply } from '#kernel/outbound/index.ts'
import type { ClientRequest, Driver, ListedModel, ProviderClient } from '../drivers/driver.ts'
import { asProviderError, withoutKey } from '../stream/provider-errors.ts'
import { redactReply, spellingsOf } from '../stream/redact-reply.ts'
import type { ConnectionSettings } from './connection.ts'
import { type CallOutcome, type ConnectionHealth, createConnectionHealth, outcomeOf } from './connection-health.ts'
import { createModelList, type ModelList } from './model-list.ts'
import { servedModels } from './served-models.ts'

export interface LiveConnection {
  readonly settings: ConnectionSettings
  readonly client: ProviderClient
  readonly driver: Driver
  readonly list: ModelList
  readonly health: ConnectionHealth
  readonly timeoutMs: number
  /** The models it serves at present, under the ids that callers use. */
  serves(): ServedModel[]
  /**
   * Runs one call for this model and learns from its outcome. Throws `provider_failed` without calling while the server
   * or the model is paused, for all or for this caller. The id is the server's own; empty for a call about no model.
   */
  attempt<Result>(
    call: { modelId: string; caller: string },
    work: () => Promise<Result>,
    judge?: (result: Result) => CallOutcome,
  ): Promise<Result>
}

export interface ServedModel {
  /** With the connection's prefix. */
  id: string
  listed: ListedModel
  connection: LiveConnection
}

export const isHealthy = ({ connection, listed }: ServedModel): boolean => connection.health.isHealthy(listed.id)

interface Options {
  settings: ConnectionSettings
  driver: Driver
  outbound: Outbound
  clock: Clock
  defaultTimeoutMs: number
  listTimeoutMs: number
  known: readonly ListedModel[] | undefined
  onRead(): void
  /** Called with how long each call took to its first byte, and its outcome. */
  onAttempt?: (ms: number, outcome: CallOutcome) => void
  /** Aborts reading the list. */
  signal: AbortSignal
  /** An administrator entered its address; otherwise it must be public. */
  isTrusted?: boolean
}

export const createLiveConnection = (options: Options): LiveConnection => {
  const { settings, driver, outbound, clock, listTimeoutMs, known, onRead, signal, isTrusted = true } = options
  const timeoutMs = settings.timeoutSec === null ? options.defaultTimeoutMs : settings.timeoutSec * 1000
  const client = createClient(outbound, settings, {
    timeoutMs,
    trusted: isTrusted ? hostPortOf(settings.url) : undefined,
  })
  const health = createConnectionHealth(clock)
  const read = () => driver.listModels(limited(client, listTimeoutMs), signal)
  const noteReading = (): void => {
    health.noteList({ problem: list.problem, isNeeded: settings.modelIds === null })
    onRead()
  }
  const list = createModelList({ read, clock, known, onRead: noteReading })

  const connection: LiveConnection = {
    settings,
    client,
    driver,
    list,
    health,
    timeoutMs,
    serves: () => servedModels(settings, list.models ?? []).map((model) => ({ ...model, connection })),
    attempt: async ({ modelId, caller }, work, judge = () => 'answered') => {
      const report = health.acquire(modelId, caller)
      const startedAt = performance.now()
      const settle = (outcome: CallOutcome, problem?: unknown): void => {
        report(outcome, problem)
        options.onAttempt?.(performance.now() - startedAt, outcome)
      }
      try {
        const result = await work()
        settle(judge(result))
        return result
      } catch (failure) {
        const problem = withoutKey(failure, settings.key)
        settle(outcomeOf(failure), problem)
        throw problem
      }
    },
  }
  return connection
}

interface ClientOptions {
  timeoutMs: number
  trusted: string | undefined
}

const createClient = (
  outbound: Outbound,
  { url, key }: ConnectionSettings,
  { timeoutMs, trusted }: ClientOptions,
): ProviderClient => {
  const own: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  const spellings = spellingsOf(key)
  const redact = (reply: OutboundReply): OutboundReply => redactReply(reply, spellings)
  // The last one is kept: V8 hashes a text that was joined anew each time it is looked up.
  let last = { path: '', address: url }
  const addressOf = (path: string): string => {
    if (path !== last.path) last = { path, address: url + path }
    return last.address
  }
  return {
    traits: {},
    send: (request) =>
      outbound
        .fetch(addressOf(request.path), {
          method: request.method,
          headers: { ...request.headers, ...own },
          body: request.body,
          maxBytes: request.maxBytes,
          signal: request.signal,
          trusted,
          maxRedirects: 0,
          firstByteMs: request.firstByteMs ?? timeoutMs,
          idleMs: timeoutMs,
          totalMs: request.totalMs,
        })
        .then(redact, throwAsProviderError),
  }
}

const throwAsProviderError = (problem: unknown): never => {
  throw asProviderError(problem)
}

const limited = (client: ProviderClient, ms: number): ProviderClient => ({
  traits: client.traits,
  send: (request: ClientRequest) => client.send({ ...request, firstByteMs: ms, totalMs: ms }),
})
