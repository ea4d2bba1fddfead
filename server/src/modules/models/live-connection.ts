/** One connection at work: the line to it, what it serves, and whether calls may go there. */
import type { Clock } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import { hostPortOf, type Outbound } from '#kernel/outbound/index.ts'
import { type Breaker, createBreaker, type Outcome } from './breaker.ts'
import type { ConnectionSettings } from './connection.ts'
import type { ClientRequest, Driver, ListedModel, ProviderClient } from './drivers/driver.ts'
import { createModelList, type ModelList } from './model-list.ts'
import { asProviderError, withoutKey } from './provider-errors.ts'
import { redactReply, spellingsOf } from './redact-reply.ts'
import { servedModels } from './served-models.ts'

export interface LiveConnection {
  readonly settings: ConnectionSettings
  readonly client: ProviderClient
  readonly driver: Driver
  readonly list: ModelList
  readonly breaker: Breaker
  readonly timeoutMs: number
  /** What it serves at present, under the names of the house. */
  serves(): ServedModel[]
  /** False while it rests, or when the last thing it was asked failed: it is then tried after the others. */
  isHealthy(): boolean
  /** False while nothing can be had from it: it rests, or could not even tell its models and has answered nothing since. */
  isAvailable(): boolean
  /** What went wrong last, unless something has gone well since. */
  problem(): unknown
  /** Runs one call under the breaker and learns from how it went. Throws `provider_failed` at once while it rests. */
  attempt<Result>(work: () => Promise<Result>, judge?: (result: Result) => Outcome): Promise<Result>
}

export interface ServedModel {
  /** With the connection's prefix. */
  id: string
  listed: ListedModel
  connection: LiveConnection
}

interface Options {
  settings: ConnectionSettings
  driver: Driver
  outbound: Outbound
  clock: Clock
  defaultTimeoutMs: number
  listTimeoutMs: number
  known: readonly ListedModel[] | undefined
  onRead(): void
  /** Told how long each call took to its first byte, and how it went. */
  onAttempt?: (ms: number, outcome: Outcome) => void
  /** Cuts a reading of the list short. */
  signal: AbortSignal
  /** Whether an administrator entered its address; else it must be public, as any address a user names. */
  isTrusted?: boolean
}

export const createLiveConnection = (options: Options): LiveConnection => {
  const { settings, driver, outbound, clock, listTimeoutMs, known, onRead, signal, isTrusted = true } = options
  const timeoutMs = settings.timeoutSec === null ? options.defaultTimeoutMs : settings.timeoutSec * 1000
  const client = createClient(outbound, settings, {
    timeoutMs,
    trusted: isTrusted ? hostPortOf(settings.url) : undefined,
  })
  const breaker = createBreaker(clock)
  const read = () => driver.listModels(limited(client, listTimeoutMs), signal)
  let lastProblem: unknown
  let isDead = false
  const noteReading = (): void => {
    isDead = list.problem !== undefined && outcomeOf(list.problem) === 'failed'
    // Who is told the models by hand does not miss the list.
    const isMissed = isDead || settings.modelIds === null
    lastProblem = isMissed ? list.problem : undefined
    onRead()
  }
  const list = createModelList({ read, clock, known, onRead: noteReading })

  const connection: LiveConnection = {
    settings,
    client,
    driver,
    list,
    breaker,
    timeoutMs,
    serves: () => servedModels(settings, list.models ?? []).map((model) => ({ ...model, connection })),
    isHealthy: () => lastProblem === undefined && !breaker.isPaused(),
    isAvailable: () => !isDead && !breaker.isPaused(),
    problem: () => lastProblem,
    attempt: async (work, judge = () => 'answered') => {
      const ticket = breaker.admit()
      if (!ticket) throw pausedError(breaker)
      const startedAt = performance.now()
      let outcome: Outcome = 'abandoned'
      try {
        const result = await work()
        outcome = judge(result)
        if (outcome === 'failed') lastProblem = new AppError('provider_failed')
        return result
      } catch (failure) {
        const problem = withoutKey(failure, settings.key)
        outcome = outcomeOf(problem)
        if (outcome === 'failed') lastProblem = problem
        throw problem
      } finally {
        breaker.settle(ticket, outcome)
        options.onAttempt?.(performance.now() - startedAt, outcome)
        if (outcome === 'answered') {
          isDead = false
          lastProblem = undefined
        }
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
  return {
    traits: {},
    send: ({ path, headers, firstByteMs = timeoutMs, ...request }) =>
      outbound
        .fetch(url + path, {
          ...request,
          headers: { ...headers, ...own },
          trusted,
          firstByteMs,
          idleMs: timeoutMs,
          maxRedirects: 0,
        })
        .then((reply) => redactReply(reply, spellings), throwAsProviderError),
  }
}

const throwAsProviderError = (problem: unknown): never => {
  throw asProviderError(problem)
}

const limited = (client: ProviderClient, ms: number): ProviderClient => ({
  traits: client.traits,
  send: (request: ClientRequest) => client.send({ ...request, firstByteMs: ms, totalMs: ms }),
})

/** A refusal is an answer: the backend works. A caller who left says nothing about it. */
const outcomeOf = (problem: unknown): Outcome => {
  if (!(problem instanceof AppError)) return 'abandoned'
  if (problem.code === 'provider_failed' || problem.code === 'provider_timeout') return 'failed'
  return problem.code === 'provider_refused' || problem.code === 'provider_busy' ? 'answered' : 'abandoned'
}

const pausedError = (breaker: Breaker): AppError => {
  const seconds = Math.max(1, Math.ceil(breaker.pauseLeftMs() / 1000))
  const detail = `The model failed several times in a row. It will be tried again in ${seconds} s.`
  return new AppError('provider_failed', { detail, retryAfterSec: seconds, cause: pauseCause })
}

const pauseCause = new Error('The connection rests.')

/** Whether nobody was asked at all. */
export const isPauseError = (problem: AppError): boolean => problem.cause === pauseCause
