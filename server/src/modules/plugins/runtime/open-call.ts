/** One call of a plugin under way: what its caller waits for, and what the plugin asks meanwhile. */
import { setTimeout as delay } from 'node:timers/promises'
import { PluginFailure } from './failures.ts'

/** The code of a plugin. A change to it or to its settings is another version. */
export interface PluginCode {
  id: string
  version: string
  /** TypeScript or JavaScript. */
  source: string
  /** Settings as JSON. */
  valves: string
  /** Its sandbox is closed with the end of the call. */
  isSingleUse?: boolean
}

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  text: string
}

export interface PluginCall {
  target: 'Tools' | 'Filter' | 'Pipe' | 'Action'
  method: string
  args: readonly unknown[]
  /** The helpers' values, by their names; functions are added in the sandbox. */
  helpers: Record<string, unknown>
  /** Answers what the plugin asks: a request, a question to the browser, a tool. */
  answer(name: string, message: unknown, signal: AbortSignal): Promise<unknown>
  onEmit(event: unknown): void
  onLog(line: LogLine): void
  signal?: AbortSignal | undefined
  wallMs: number
}

export type CallOutcome = { kind: 'value'; value: unknown } | { kind: 'items'; items: AsyncIterable<unknown> }

interface Sender {
  /** One message to the sandbox. */
  say(message: object): void
}

export interface OpenCall {
  readonly outcome: Promise<CallOutcome>
  /** `length` is that of the message as text. Never throws: it is called where the messages of all plugins arrive. */
  receive(message: Record<string, unknown>, length: number): void
  /** Ends the call from this side; the plugin is told by the caller of this function. */
  fail(problem: unknown): void
  /** Ends it without telling its caller, who gets another one. */
  abandon(): void
}

/** Events wait in memory until they are stored, so a call may not send any amount of them, nor of any size. */
const maxEvents = 5_000
const maxEventLength = 32_000_000
/** Those that the sandbox lets out, and its word that there were more. */
const maxLogLines = 501
const maxSleepMs = 600_000
const levels = new Set(['debug', 'info', 'warn', 'error'])

export const openCall = (id: number, call: PluginCall, { say }: Sender, onEnd: () => void): OpenCall => {
  let hasEnded = false
  /** Made for the first question: most calls ask none. */
  let ended: AbortController | undefined
  const { promise: outcome, resolve, reject } = Promise.withResolvers<CallOutcome>()
  let events = 0
  let eventLength = 0
  let logLines = 0
  let part: PromiseWithResolvers<{ value: unknown } | undefined> | undefined
  outcome.catch(() => undefined)

  const end = (): boolean => {
    if (hasEnded) return false
    hasEnded = true
    ended?.abort()
    onEnd()
    return true
  }
  const fail = (problem: unknown): void => {
    if (!end()) return
    part?.reject(problem)
    reject(problem)
  }
  const stop = (problem: unknown): void => {
    fail(problem)
    say({ t: 'cancel', call: id })
  }
  const emit = (event: unknown, length: number): void => {
    events += 1
    eventLength += length
    try {
      if (events > maxEvents || eventLength > maxEventLength)
        throw new PluginFailure('broken', 'The plugin sent too many events.')
      call.onEmit(event)
    } catch (problem) {
      stop(problem)
    }
  }

  const answerAsk = async (ask: number, name: string, message: unknown): Promise<void> => {
    ended ??= new AbortController()
    const { signal } = ended
    let reply: object
    try {
      reply = {
        ok: true,
        value: await (name === 'sleep' ? sleep(message, signal) : call.answer(name, message, signal)),
      }
    } catch (problem) {
      const { message: words, code } = problem as { message?: string; code?: unknown }
      reply = { ok: false, message: words ?? 'refused', code: typeof code === 'string' ? code : undefined }
    }
    if (!hasEnded) say({ t: 'answer', call: id, ask, ...reply })
  }

  async function* items(): AsyncGenerator<unknown> {
    try {
      for (;;) {
        part = Promise.withResolvers()
        say({ t: 'next', call: id })
        const item = await part.promise
        if (!item) return
        yield item.value
      }
    } finally {
      // The reader left before the end.
      if (end()) say({ t: 'cancel', call: id })
    }
  }

  const finish = (message: Record<string, unknown>): void => {
    if (message.ok !== true) fail(failureOf(message.error))
    if (!end()) return
    part?.resolve(undefined)
    resolve({ kind: 'value', value: message.value })
  }

  return {
    outcome,
    fail,
    abandon: () => void end(),
    receive: (message, length) => {
      if (hasEnded) return
      if (message.t === 'end') finish(message)
      else if (message.t === 'items') resolve({ kind: 'items', items: items() })
      else if (message.t === 'item') part?.resolve({ value: message.value })
      else if (message.t === 'ask') void answerAsk(Number(message.ask), String(message.name), message.message)
      else if (message.t === 'emit') emit(message.event, length)
      else if (message.t === 'log') {
        logLines += 1
        const level = levels.has(String(message.level)) ? (message.level as LogLine['level']) : 'info'
        if (logLines <= maxLogLines) call.onLog({ level, text: String(message.text) })
      }
    },
  }
}

const sleep = async (message: unknown, signal: AbortSignal): Promise<void> => {
  const ms = Number((message as { ms?: unknown } | null)?.ms) || 0
  await delay(Math.min(Math.max(ms, 1), maxSleepMs), undefined, { signal })
}

const failureOf = (error: unknown): PluginFailure => {
  const { name, message, stack } = (error ?? {}) as { name?: unknown; message?: unknown; stack?: unknown }
  const words = String(message ?? 'It failed.').slice(0, 2000)
  const trace = `${String(name)}: ${words}\n${typeof stack === 'string' ? stack.slice(0, 2000) : ''}`.trim()
  return new PluginFailure('threw', words, trace)
}
