/**
 * Proof found for each certificate a short time ago. Failures are remembered too, so that a server that doesn't answer
 * delays one seal in five minutes and not each of them.
 */
import type { X509Certificate } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import { DerError } from '../asn1/read-der.ts'
import { RevocationProblem } from './certificate-parts.ts'

const reuseMs = 600_000
const reuseFailureMs = 300_000
const maxAnswers = 200

interface Found<Value> {
  value: Value
  validUntil?: Date
}

type Answer<Value> = { until: number } & ({ value: Value } | { problem: unknown })

export class RecentAnswers<Value> {
  readonly #answers = new Map<string, Answer<Value>>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async find({ fingerprint256 }: X509Certificate, search: () => Promise<Found<Value>>): Promise<Value> {
    const nowMs = this.#clock.now().getTime()
    const known = this.#answers.get(fingerprint256)
    if (known && nowMs < known.until) {
      if ('problem' in known) throw known.problem
      return known.value
    }
    try {
      const { value, validUntil } = await search()
      const until = Math.min(nowMs + reuseMs, validUntil?.getTime() ?? Number.POSITIVE_INFINITY)
      this.#remember(fingerprint256, { value, until })
      return value
    } catch (problem) {
      if (isExpected(problem)) this.#remember(fingerprint256, { problem, until: nowMs + reuseFailureMs })
      throw problem
    }
  }

  #remember(fingerprint: string, answer: Answer<Value>): void {
    if (this.#answers.size >= maxAnswers) this.#answers.clear()
    this.#answers.set(fingerprint, answer)
  }
}

/** The network's failures, and what can't be read. */
export const isExpected = (problem: unknown): boolean =>
  problem instanceof RevocationProblem || problem instanceof DerError || problem instanceof AppError
