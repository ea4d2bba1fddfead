/**
 * A span: what the server does for somebody, from when to when, and as part of what. The current one is carried through
 * whatever its work waits for, so a door only says what it does. Without traces no span ever begins, and a door costs one
 * look at an `AsyncLocalStorage`.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomFillSync } from 'node:crypto'
import type { TraceContext } from './trace-context.ts'

/** The numbers are those of OTLP. */
export const spanKinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const
export type SpanKind = keyof typeof spanKinds
type Value = string | number | boolean | readonly string[]
export type Attributes = Readonly<Record<string, Value | null | undefined>>

/** Takes spans that have ended. */
export type SpanSink = (span: Span) => void

interface Start {
  name: string
  kind: SpanKind
  context: TraceContext
  parentSpanId?: string | undefined
  /** Undefined where the trace is not recorded. */
  sink: SpanSink | undefined
  /** Of the span that began this trace here, so that all of it is measured by one clock. */
  clock?: SpanClock
  startedAtMs?: number | undefined
}

interface SpanClock {
  epochMs: number
  monotonicMs: number
}

const maxAttributes = 32
const maxLinks = 32
const maxTextLength = 2048
const maxListLength = 32

export class Span {
  readonly name: string
  readonly kind: SpanKind
  readonly context: TraceContext
  readonly parentSpanId: string | undefined
  readonly startedAtMs: number
  readonly attributes = new Map<string, Value>()
  readonly links: TraceContext[] = []
  endedAtMs = 0
  /** What kind of failure, never its words: these may repeat what somebody wrote. */
  errorType: string | undefined
  readonly #sink: SpanSink | undefined
  readonly #clock: SpanClock
  #isEnded = false

  constructor({ name, kind, context, parentSpanId, sink, clock, startedAtMs }: Start) {
    this.name = name.slice(0, maxTextLength)
    this.kind = kind
    this.context = context
    this.parentSpanId = parentSpanId
    this.#sink = sink
    this.#clock = clock ?? { epochMs: Date.now(), monotonicMs: performance.now() }
    this.startedAtMs = startedAtMs ?? this.#nowMs()
  }

  /** False where the trace is not sampled, and after the end. */
  get isRecording(): boolean {
    return this.#sink !== undefined && !this.#isEnded
  }

  /** Also after the end: a title that is written after the reply still belongs to it. */
  child(name: string, kind: SpanKind): Span {
    const { traceId, isSampled } = this.context
    return new Span({
      name,
      kind,
      context: { traceId, spanId: newSpanId(), isSampled },
      parentSpanId: this.context.spanId,
      sink: this.#sink,
      clock: this.#clock,
    })
  }

  set(attributes: Attributes): this {
    if (!this.isRecording) return this
    for (const [name, value] of Object.entries(attributes))
      if (value !== null && value !== undefined && (this.attributes.has(name) || this.attributes.size < maxAttributes))
        this.attributes.set(name, bounded(value))
    return this
  }

  /** To what this caused, or what caused it, in another trace. */
  link(context: TraceContext | undefined): void {
    if (context && this.isRecording && this.links.length < maxLinks) this.links.push(context)
  }

  /** Only the first call counts. */
  end({ problem, endedAtMs = this.#nowMs() }: { problem?: unknown; endedAtMs?: number } = {}): void {
    if (!this.isRecording) return
    if (problem !== undefined) this.errorType = errorTypeOf(problem)
    this.#isEnded = true
    this.endedAtMs = Math.max(endedAtMs, this.startedAtMs)
    this.#sink?.(this)
  }

  #nowMs(): number {
    return this.#clock.epochMs + performance.now() - this.#clock.monotonicMs
  }
}

const bounded = (value: Value): Value => {
  if (typeof value === 'string') return value.slice(0, maxTextLength)
  return Array.isArray(value) ? value.slice(0, maxListLength).map((one: string) => one.slice(0, 256)) : value
}

/** An error's code where it has one, else its class. */
const errorTypeOf = (problem: unknown): string => {
  if (typeof problem === 'string') return problem
  const { code, name } = (problem ?? {}) as { code?: unknown; name?: unknown }
  const type = typeof code === 'string' ? code : name
  return typeof type === 'string' && type !== '' ? type.slice(0, 100) : '_OTHER'
}

/** Asking for a few random bytes takes longer than all else that a span costs, so many are asked for at once. */
const random = Buffer.alloc(8192)
let used = random.length

const newId = (length: number): string => {
  if (used + length > random.length) {
    randomFillSync(random)
    used = 0
  }
  used += length
  const id = random.toString('hex', used - length, used)
  return /[^0]/.test(id) ? id : newId(length)
}
export const newTraceId = (): string => newId(16)
export const newSpanId = (): string => newId(8)

const current = new AsyncLocalStorage<Span | undefined>()

export const activeSpan = (): Span | undefined => current.getStore()

/** With no span, outside of all: for work that goes on for itself, or for many. */
export const inSpan = <Result>(span: Span | undefined, work: () => Result): Result =>
  span === undefined && current.getStore() === undefined ? work() : current.run(span, work)

/** For the rest of the work that has begun, and what follows from it. */
export const enterSpan = (span: Span): void => current.enterWith(span)

/** The current one, where its trace is recorded. */
export const recordedSpan = (): Span | undefined => {
  const span = current.getStore()
  return span?.context.isSampled ? span : undefined
}

/** A part of what goes on; undefined where nobody records it. Its opener ends it. */
export const openSpan = (name: string, kind: SpanKind = 'internal'): Span | undefined =>
  recordedSpan()?.child(name, kind)

/** A part that is one piece of work. */
export const withSpan = async <Result>(
  span: Span | undefined,
  work: () => Promise<Result> | Result,
): Promise<Result> => {
  if (!span) return work()
  try {
    const result = await current.run(span, work)
    span.end()
    return result
  } catch (problem) {
    span.end({ problem })
    throw problem
  }
}
