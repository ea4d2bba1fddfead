/**
 * What one call may use, and what it did use. Before anything is sent, the largest answer that its request allows is
 * reserved; where the budget has less, the request's limit is lowered to that. An answer that outgrows what was reserved
 * has more reserved while it streams, or ends. Settled once, however the call ends: with what the provider told as far as
 * that can be true, with what came of the answer, or with the estimate.
 */
import type { Price } from '@chancery/contract/models/prices.ts'
import { AppError } from '#kernel/errors.ts'
import type { Meter, Payer, Reservation, Use, Wanted } from '#kernel/meter.ts'
import { inSpan, openSpan, recordedSpan, type Span } from '#kernel/spans/span.ts'
import { isPauseError } from '../connections/connection-health.ts'
import { answerLimitOf, withAnswerLimit } from '../drivers/answer-limit.ts'
import { type Believable, believableUsage, boundedUsage } from '../stream/believable-usage.ts'
import { requestTokensOf, type TokenCounts, tokensOf } from '../stream/estimate.ts'
import { isErrorInBody, isUnreachable, statusOf } from '../stream/provider-errors.ts'

export interface AccountedCall {
  meter: Meter
  payer: Payer
  /** The model id as the caller named it. */
  model: string
  body: Record<string, unknown>
  /** The model's context in tokens; null where it is unknown. */
  contextLength: number | null
  /** Its answer is seen as it grows. */
  isStreamed: boolean
  /** False where it has none, as with embeddings. */
  hasAnswer?: boolean
  signal: AbortSignal
}

/** What came of the answer. */
export interface Received {
  told: TokenCounts | undefined
  /** Of text, for an estimate where nothing was told. */
  textBytes: number
  bytes: number
  /** The model was not heard to the end. */
  isCut?: boolean
  failed: boolean
}

/** Expected of an answer without a limit. */
const usualAnswer = 1000
/** The same where nobody sees the answer grow, and so nobody can end it. */
const unseenAnswer = 16_384
/** Of the models there are. What a provider adds to a request, such as pages it searched, is in no bytes of ours. */
const largestWindow = 2_000_000

export class CallAccount {
  readonly #call: AccountedCall
  #body: Record<string, unknown>
  #reservation: Reservation | undefined
  #promptTokens: number | undefined
  #price: Price | undefined
  #isSent = false
  #isSettled = false
  /** For a request that names no limit of its own, once a budget has less than is expected of the answer. */
  addedLimit: number | undefined
  #span: Span | undefined
  #failure: unknown

  constructor(call: AccountedCall) {
    this.#call = call
    this.#body = call.body
  }

  /** The request as it may be sent. */
  get body(): Record<string, unknown> {
    return this.#body
  }

  get isPrivate(): boolean {
    return this.#call.payer.isPrivate === true
  }

  /** Throws `usage_limit_reached`. Synchronous where nothing has to be looked up. */
  reserve(): Promise<void> | undefined {
    const { meter, payer } = this.#call
    let wanted: Wanted | undefined
    const reserving = meter.reserve(payer, () => {
      wanted = this.#wanted()
      return wanted
    })
    if (reserving instanceof Promise) return reserving.then((reservation) => this.#accept(reservation, wanted))
    this.#accept(reserving, wanted)
    return undefined
  }

  /** From here on the provider may have worked for it. */
  noteSent(): void {
    this.#isSent = true
    if (!recordedSpan()) return
    const { model, hasAnswer = true, isStreamed } = this.#call
    const operation = hasAnswer ? 'chat' : 'embeddings'
    this.#span = openSpan(`${operation} ${model}`, 'client')
    this.#span?.set({
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': model,
      'gen_ai.request.max_tokens': answerLimitOf(this.#body).perChoice,
      'gen_ai.request.stream': isStreamed,
    })
  }

  /** What is done for the call is seen as a part of it. */
  during<Result>(work: () => Result): Result {
    return this.#span ? inSpan(this.#span, work) : work()
  }

  /** Of the connection that is asked now. What a user's own server takes, the instance doesn't pay. */
  notePrice(price: Price | null): void {
    this.#price = this.isPrivate || price === null ? undefined : price
  }

  /** False once the answer has outgrown what could be reserved for it: it must end. */
  allows(answerTokens: number): boolean | Promise<boolean> {
    const reservation = this.#reservation
    if (!reservation) return true
    const missing = this.promptTokens + answerTokens - reservation.tokens
    return missing <= 0 || reservation.extend(missing + usualAnswer)
  }

  settle({ told, textBytes, bytes, isCut, failed }: Received): TokenCounts {
    const { payer, signal } = this.#call
    if (failed) this.#failure = signal.aborted ? 'aborted' : 'provider_failed'
    // A model that was still silent may have thought.
    const text = isCut && textBytes === 0 ? this.#estimate() : tokensOf(textBytes)
    const counted = { promptTokens: this.promptTokens, completionTokens: text }
    const used = told ? believableUsage(told, this.#believable(), () => counted) : counted
    const own = payer.isPrivate && told ? boundedUsage(used, this.#passed(bytes)) : used
    this.#record({ ...own, failed: failed && !signal.aborted })
    return used
  }

  /** No answer came. Nothing is charged only where the provider was not asked, or said that it didn't do it. */
  settleUnanswered(problem: unknown): void {
    const failed = !this.#call.signal.aborted
    this.#failure = problem
    if (!this.#isSent || isUntouched(problem)) this.#record({ promptTokens: 0, completionTokens: 0, failed })
    else if (isErrorInBody(problem)) this.#record({ promptTokens: this.promptTokens, completionTokens: 0, failed })
    else this.#record({ promptTokens: this.promptTokens, completionTokens: this.#estimate(), failed })
  }

  #record(use: Omit<Use, 'model'>): void {
    if (this.#isSettled) return
    this.#isSettled = true
    const { meter, payer, model } = this.#call
    meter.record(payer, { model, price: this.#price, ...use }, this.#reservation)
    this.#span?.set({
      'gen_ai.usage.input_tokens': use.promptTokens,
      'gen_ai.usage.output_tokens': use.completionTokens,
    })
    this.#span?.end({ problem: this.#failure })
  }

  #accept(reservation: Reservation | undefined, wanted: Wanted | undefined): void {
    this.#reservation = reservation
    if (!reservation || !wanted || reservation.tokens >= wanted.most) return
    const { perChoice, choices } = answerLimitOf(this.#body)
    const most = Math.floor((reservation.tokens - this.promptTokens) / choices)
    this.#body = withAnswerLimit(this.#body, most)
    if (perChoice === undefined && answerLimitOf(this.#body).perChoice === undefined) this.addedLimit = most
  }

  get promptTokens(): number {
    this.#promptTokens ??= requestTokensOf(this.#call.body)
    return this.#promptTokens
  }

  #wanted(): Wanted {
    const { body, contextLength, isStreamed, hasAnswer = true } = this.#call
    const prompt = this.promptTokens
    if (!hasAnswer) return { least: prompt, most: prompt }
    const { perChoice, thinking, choices } = answerLimitOf(body)
    const expected = (isStreamed ? usualAnswer : unseenAnswer) + thinking
    const window = contextLength === null ? Number.POSITIVE_INFINITY : Math.max(1, contextLength - prompt)
    return { least: prompt + choices, most: prompt + choices * (perChoice ?? Math.min(expected, window)) }
  }

  /** What a provider may have done of which nothing is known. */
  #estimate(): number {
    if (this.#call.hasAnswer === false) return 0
    const { perChoice, thinking, choices } = answerLimitOf(this.#body)
    const most = this.#reservation ? this.#reservation.tokens - this.promptTokens : Number.POSITIVE_INFINITY
    return Math.min(choices * (perChoice ?? usualAnswer + thinking), most)
  }

  #believable(): Believable {
    const window = this.#call.contextLength ?? largestWindow
    return {
      promptTokens: () => Math.max(window, this.promptTokens),
      completionTokens: () => {
        const { perChoice, thinking, choices } = answerLimitOf(this.#body)
        return choices * (perChoice === undefined ? window : perChoice + thinking)
      },
    }
  }

  #passed(answerBytes: number): Believable {
    return {
      promptTokens: () => Buffer.byteLength(JSON.stringify(this.#body)),
      completionTokens: () => answerBytes,
    }
  }
}

const isUntouched = (problem: unknown): boolean => {
  if (!(problem instanceof AppError)) return false
  const isRefused = problem.code === 'provider_refused' || problem.code === 'provider_busy'
  const isBlocked = problem.cause instanceof AppError && problem.cause.code === 'outbound_blocked'
  return isRefused || isBlocked || statusOf(problem) !== undefined || isPauseError(problem) || isUnreachable(problem)
}
