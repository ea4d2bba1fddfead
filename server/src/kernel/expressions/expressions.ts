/**
 * Evaluates tenants' expressions off the server's thread. The step budget ends almost everything; a mistake in the
 * evaluator is caught by the thread's time and memory limits, and costs its own expression only.
 *
 * Filters of events and values of runs have a thread each, so that neither waits for the other, and so have the filters of
 * tenants that are over their share. Threads start when first needed and stay warm.
 */

import { ExpressionError, type Name } from '@chancery/expression'
import { AppError } from '../errors.ts'
import { createForeignReader } from '../json/parse-foreign.ts'
import type { Log } from '../log.ts'
import type { Allowances } from './allowances.ts'
import { readNamed } from './read-named.ts'
import type { CasesGroup, EvaluationError } from './worker-jobs.ts'
import { createWorkerThread } from './worker-thread.ts'

export type TestVerdict = { holds: boolean } | { error: EvaluationError }

interface TestRequest {
  names: readonly Name[]
  /** Each group tests its texts on the same values, which are JSON in the order of the own names. */
  groups: readonly { values: readonly unknown[]; texts: readonly string[] }[]
}

interface TestWithinRequest extends Omit<TestRequest, 'groups'> {
  /** Of the usual dispatch, or of tenants that are over their share. */
  thread: 'filters' | 'postponed'
  groups: readonly Required<CasesGroup>[]
  allowances: Pick<Allowances, 'memory'>
}

interface EvaluateRequest {
  names: readonly Name[]
  values: readonly unknown[]
  texts: readonly string[]
}

export interface Expressions {
  /** Decides if each expression holds: one verdict per text, groups in order. An expression never makes it reject. */
  test(request: TestRequest): Promise<TestVerdict[]>
  /** The same, while the owner of each text has time left; undefined for what wasn't evaluated any more. */
  testWithin(request: TestWithinRequest): Promise<(TestVerdict | undefined)[]>
  /** The results as JSON, in order. Rejects with the ExpressionError of the first text that failed. */
  evaluateAll(request: EvaluateRequest): Promise<unknown[]>
  stop(): Promise<void>
}

export const createExpressions = (log: Pick<Log, 'warn'>): Expressions => {
  const threads = {
    filters: createWorkerThread({ log }),
    postponed: createWorkerThread({ log, isLastResort: true }),
    values: createWorkerThread({ log }),
  }
  return {
    test: async ({ names, groups }) => {
      const verdicts = await threads.values.run({ kind: 'test', names, groups })
      return verdicts as TestVerdict[]
    },
    testWithin: async ({ thread, ...request }) => {
      const verdicts = await threads[thread].run({ kind: 'test', ...request })
      return verdicts.map((verdict) => ('isSkipped' in verdict ? undefined : (verdict as TestVerdict)))
    },
    evaluateAll: async ({ names, values: given, texts }) => {
      const named = readNamed({ names, values: given, texts })
      if (named) return named
      const verdicts = await threads.values.run({ kind: 'evaluate', names, groups: [{ values: given, texts }] })
      const read = createForeignReader({ exactly: true })
      return verdicts.map((verdict) => {
        if ('error' in verdict) throw toExpressionError(verdict.error)
        return 'value' in verdict ? readValue(read, verdict.value) : 'holds' in verdict && verdict.holds
      })
    },
    stop: async () => {
      await Promise.all(Object.values(threads).map((thread) => thread.stop()))
    },
  }
}

/** All values together: each may be as large as a value may be. */
const readValue = (read: (json: string) => unknown, json: string): unknown => {
  try {
    return read(json)
  } catch (problem) {
    if (!(problem instanceof AppError)) throw problem
    throw new ExpressionError('LimitExceeded', 'the values have too many items')
  }
}

/** As it is thrown on the server's thread. */
export const toExpressionError = ({ kind, message }: EvaluationError): ExpressionError =>
  new ExpressionError(kind, message.slice(`${kind}: `.length))
