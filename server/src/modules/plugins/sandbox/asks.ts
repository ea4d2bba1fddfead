/**
 * The call under way, and what it asks of the server. Every time the sandbox is entered, it is on behalf of one call, and
 * it is left only when all promises have run: so what is asked in between belongs to that call.
 */
import { AbortProblem, Controller, setTimer } from './abort.ts'
import { host, stringify } from './host.ts'

interface Waiting {
  resolve(value: unknown): void
  reject(problem: unknown): void
}

export interface Call {
  id: number
  controller: Controller
  asked: Map<number, Waiting>
  /** A pipe that yields: the parts are fetched one by one. */
  items: AsyncIterator<unknown> | Iterator<unknown> | undefined
  logLines: number
}

const maxOpenAsks = 100
/** Of one call; others never leave the sandbox. */
const maxLogLines = 500
let current: Call | undefined
let lastAsk = 0

export const enter = (call: Call): void => {
  current = call
}

export const newCall = (id: number): Call => ({
  id,
  controller: new Controller(),
  asked: new Map(),
  items: undefined,
  logLines: 0,
})

export const send = (message: object): void => host().send(stringify(message))

const requireCall = (): Call => {
  if (!current || current.controller.signal.aborted) throw new AbortProblem('The call has ended.')
  return current
}

/** Rejects with the server's refusal, and when the call ends. */
export const ask = (name: string, message: unknown, call = requireCall()): Promise<unknown> =>
  new Promise((resolve, reject) => {
    if (call.controller.signal.aborted) throw new AbortProblem('The call has ended.')
    if (call.asked.size >= maxOpenAsks) throw new RangeError('Too many requests and timers at once.')
    lastAsk += 1
    const id = lastAsk
    // A question that can't be sent never gets an answer, and so must not count as open.
    send({ t: 'ask', call: call.id, ask: id, name, message })
    call.asked.set(id, { resolve, reject })
  })

export const tell = (call: Call, message: object): void => {
  if (!call.controller.signal.aborted) send({ ...message, call: call.id })
}

export const log = (level: string, text: string): void => {
  if (!current || current.logLines > maxLogLines) return
  current.logLines += 1
  if (current.logLines <= maxLogLines) send({ t: 'log', call: current.id, level, text })
  else send({ t: 'log', call: current.id, level: 'warn', text: `Lines after the first ${maxLogLines} are left out.` })
}

interface Timer {
  isCleared: boolean
}

const timers = new Map<number, Timer>()
let lastTimer = 0

const repeat = async (timer: Timer, ms: number, work: () => void): Promise<void> => {
  await ask('sleep', { ms })
  if (!timer.isCleared) work()
}

const startTimer = (work: () => void, ms: unknown, repeats: boolean): number => {
  lastTimer += 1
  const id = lastTimer
  const timer = { isCleared: false }
  timers.set(id, timer)
  const delay = Math.max(0, Number(ms) || 0)
  const tick = (): void => {
    // A timer ends with its call.
    repeat(timer, delay, () => {
      if (!repeats) timers.delete(id)
      work()
      if (repeats) tick()
    }).catch(() => timers.delete(id))
  }
  tick()
  return id
}

type Work = (...values: unknown[]) => void

export const setTimeout = (work: Work, ms?: number, ...values: unknown[]): number =>
  startTimer(() => work(...values), ms, false)
export const setInterval = (work: Work, ms?: number, ...values: unknown[]): number =>
  startTimer(() => work(...values), ms, true)
export const clearTimer = (id: number): void => {
  const timer = timers.get(id)
  if (timer) timer.isCleared = true
  timers.delete(id)
}

setTimer((work, ms) => startTimer(work, ms, false))
