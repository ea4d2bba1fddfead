/**
 * Which calls a connection may take. Failures are counted per model, so that one broken model does not take the others
 * with it, and per caller, so that one caller's requests don't take it from the others. The whole connection pauses only
 * when the server itself is gone: unreachable, or unable to list its models.
 */
import { type Breaker, createBreaker, longestPauseMs, type Outcome, ordinary } from '#kernel/breaker/breaker.ts'
import { type CallersBreaker, createCallersBreaker } from '#kernel/breaker/callers-breaker.ts'
import type { Clock } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import { isCallersFault, isUnreachable, statusOf } from '../stream/provider-errors.ts'

/**
 * The outcome of a call, as far as it concerns the server. `failed` is about the one model, `unreachable` about all of
 * them.
 */
export type CallOutcome = 'answered' | 'refused' | 'busy' | 'failed' | 'unauthorized' | 'unreachable' | 'abandoned'

export interface ConnectionHealth {
  /** Throws `provider_failed` while the server or the model is paused. Returns what to call with the outcome. */
  acquire(modelId: string, caller: string): (outcome: CallOutcome, problem?: unknown) => void
  /** Notes the outcome of reading the model list; `problem` is undefined where it could be read. */
  noteList(reading: { problem: unknown; isNeeded: boolean }): void
  /** False for a model that failed or was busy recently, and for all of them while the server has a problem. */
  isHealthy(modelId: string): boolean
  /** False while nothing can be had from this model. */
  isAvailable(modelId: string): boolean
  /** True when the whole connection is paused. */
  isPaused(): boolean
  /** The last failure, unless a call succeeded since. */
  problem(): unknown
}

interface ModelHealth {
  breaker: CallersBreaker
  /** Until then other connections are asked first. */
  avoidUntil: number
  forgetAt: number
}

/** A failure is remembered for this long; then the connection has its position in the order back. */
const memoryMs = 60_000
const maxBusyMs = 60_000
const defaultBusyMs = 5000

export const createConnectionHealth = (clock: Clock): ConnectionHealth => {
  const server = createBreaker(clock)
  /** Only models that failed or were busy recently: an answer removes the entry. */
  const models = new Map<string, ModelHealth>()
  let lastProblem: unknown
  let serverProblem: unknown
  const now = (): number => clock.now().getTime()

  const find = (modelId: string): ModelHealth | undefined => {
    const known = models.get(modelId)
    if (!known || now() < known.forgetAt) return known
    models.delete(modelId)
    return undefined
  }
  const avoid = (modelId: string, ms: number): ModelHealth => {
    const known = find(modelId) ?? { breaker: createCallersBreaker(clock), avoidUntil: 0, forgetAt: 0 }
    known.avoidUntil = now() + ms
    known.forgetAt = Math.max(known.avoidUntil, now() + memoryMs) + longestPauseMs
    models.set(modelId, known)
    return known
  }
  const noteAnswer = (modelId: string): void => {
    models.delete(modelId)
    serverProblem = undefined
    lastProblem = undefined
  }
  const noteFailure = (modelId: string, outcome: CallOutcome, problem: unknown): void => {
    lastProblem = problem ?? new AppError('provider_failed')
    if (outcome === 'unreachable') serverProblem = lastProblem
    else avoid(modelId, memoryMs)
  }

  /** For a call that began before anything of the model had failed. */
  const acquired = (modelId: string, caller: string) => {
    const permit = find(modelId)?.breaker.acquire(caller)
    return permit && 'settle' in permit ? permit : undefined
  }

  return {
    acquire: (modelId, caller) => {
      const serverPermit = server.tryAcquire()
      if (!serverPermit) throw pausedError(server)
      const permit = find(modelId)?.breaker.acquire(caller)
      if (permit && 'pausedBy' in permit) {
        server.settle(serverPermit, 'abandoned')
        throw pausedError(permit.pausedBy)
      }
      return (outcome, problem) => {
        server.settle(serverPermit, ofServer[outcome])
        if (outcome !== 'failed') permit?.settle('abandoned')
        if (outcome === 'abandoned') return
        if (outcome === 'answered' || outcome === 'refused' || outcome === 'busy') noteAnswer(modelId)
        else noteFailure(modelId, outcome, problem)
        if (outcome === 'busy') avoid(modelId, busyMsOf(problem))
        if (outcome === 'failed') (permit ?? acquired(modelId, caller))?.settle('failed')
      }
    },
    noteList: ({ problem, isNeeded }) => {
      const outcome = problem === undefined ? 'answered' : outcomeOf(problem)
      if (outcome === 'abandoned') return
      const isRefused = outcome === 'refused' || outcome === 'busy'
      server.settle(server.tryAcquire() ?? ordinary, outcome === 'failed' ? 'failed' : ofServer[outcome])
      serverProblem = isRefused ? undefined : problem
      // A server whose models were entered by hand need not have a list.
      lastProblem = isRefused && !isNeeded ? undefined : problem
    },
    isHealthy: (modelId) => {
      const isAvoided = (find(modelId)?.avoidUntil ?? 0) > now()
      return !isAvoided && serverProblem === undefined && !server.isPaused()
    },
    isAvailable: (modelId) =>
      serverProblem === undefined && !server.isPaused() && find(modelId)?.breaker.isPaused() !== true,
    isPaused: () => server.isPaused(),
    problem: () => lastProblem,
  }
}

/** A rejected key or a slow model says nothing about whether the server is there. */
const ofServer: Record<CallOutcome, Outcome> = {
  answered: 'answered',
  refused: 'answered',
  busy: 'answered',
  failed: 'abandoned',
  unauthorized: 'abandoned',
  unreachable: 'failed',
  abandoned: 'abandoned',
}

export const outcomeOf = (problem: unknown): CallOutcome => {
  if (!(problem instanceof AppError)) return 'abandoned'
  if (isUnreachable(problem)) return 'unreachable'
  const status = statusOf(problem)
  if (status !== undefined) return outcomeOfStatus(status)
  if (isCallersFault(problem)) return 'refused'
  if (problem.code === 'provider_refused') return 'refused'
  return problem.code === 'provider_failed' || problem.code === 'provider_timeout' ? 'failed' : 'abandoned'
}

/** A 4xx is about the request and counts against nobody, except for the key (401) and the rate (429). */
export const outcomeOfStatus = (status: number): CallOutcome => {
  if (status === 401) return 'unauthorized'
  if (status === 429) return 'busy'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'answered'
}

const busyMsOf = (problem: unknown): number => {
  const seconds = problem instanceof AppError ? problem.retryAfterSec : undefined
  return seconds === undefined ? defaultBusyMs : Math.min(seconds * 1000, maxBusyMs)
}

const pausedError = (breaker: Breaker): AppError => {
  const seconds = Math.max(1, Math.ceil(breaker.pauseLeftMs() / 1000))
  const detail = `The model failed several times in a row. It will be tried again in ${seconds} s.`
  return new AppError('provider_failed', { detail, retryAfterSec: seconds, cause: pauseCause })
}

const pauseCause = new Error('Calls are paused after repeated failures.')

/** True for a call that was refused without asking the backend. */
export const isPauseError = (problem: AppError): boolean => problem.cause === pauseCause
