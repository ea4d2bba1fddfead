/**
 * The thread that evaluates tenants' expressions. It knows nothing but expressions and the values it is sent. Before each
 * case it notes its number in shared memory, so that the server knows which expression to blame if it has to end the
 * thread.
 */
import { flushCompileCache } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { compileExpression, type Expression, ExpressionError, toJson, type Value } from '@chancery/expression'
import { parseExactly } from '../json/exact-integers.ts'
import { lengthLeft } from '../json/length-left.ts'
import { charge, mayGoOn, openAllowances } from './allowances.ts'
import {
  type CaseError,
  caseStates,
  type Group,
  type Job,
  type JobReply,
  type NewExpression,
  openProgress,
} from './worker-protocol.ts'

type Compiled = Expression | { mistake: string }

const compiled = new Map<number, Compiled>()

const compile = ({ text, names }: NewExpression): Compiled => {
  try {
    return compileExpression(text, names)
  } catch (problem) {
    // Another release accepted this expression, this one doesn't.
    return { mistake: (problem as Error).message }
  }
}

/** Whatever is thrown concerns this one case. */
const describe = (problem: unknown, index: number): CaseError => {
  if (problem instanceof ExpressionError) return { index, kind: problem.kind, message: problem.message }
  const name = problem instanceof Error ? problem.name : 'unknown'
  return { index, kind: 'InternalError', message: `InternalError: the expression could not be evaluated (${name})` }
}

/**
 * A list may hold one long text thousands of times, and thousands of expressions may name it, which costs nothing until it
 * is written: the results of one request together.
 */
const maxResultLength = 8 * 1024 * 1024

const createWriter = () => {
  let left = maxResultLength
  return (value: unknown): string => {
    if (left >= 0) left = lengthLeft(value, left)
    if (left < 0) throw new ExpressionError('LimitExceeded', `a result of more than ${maxResultLength} characters`)
    return JSON.stringify(value)
  }
}

/**
 * Charges each case for its time; the first also for reading the values, unless they are there for several owners. On a busy
 * machine a case may wait for a processor, which costs its owner nothing. Asking what the thread really used takes about
 * as long as a filter, so it is asked once a millisecond.
 */
const createMeter = ({ memory, owners }: NonNullable<Group['charged']>) => {
  const left = openAllowances(memory)
  let sinceMs = performance.now()
  let cpuMs = usedMs()
  let chargedMs = 0
  const ownerAt = (position: number): number => owners[position] ?? 0
  return {
    isShared: owners.some((owner) => owner !== owners[0]),
    restart: (): void => {
      sinceMs = performance.now()
      cpuMs = usedMs()
    },
    mayGoOn: (position: number): boolean => mayGoOn(left, ownerAt(position)),
    charge: (position: number): void => {
      const nowMs = performance.now()
      let ms = nowMs - sinceMs
      sinceMs = nowMs
      chargedMs += ms
      if (chargedMs >= 1) {
        const nowCpuMs = usedMs()
        ms += nowCpuMs - cpuMs - chargedMs
        cpuMs = nowCpuMs
        chargedMs = 0
      }
      charge(left, ownerAt(position), ms)
    },
  }
}

/** The processor time of this thread. */
const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const work = ({ learn, groups, progress }: Job): JobReply => {
  for (const one of learn) compiled.set(one.id, compile(one))
  const { current, states } = openProgress(progress)
  const reply = { errors: [] as CaseError[], values: [] as (string | undefined)[] }
  let index = 0
  for (const { kind, values: json, ids, charged } of groups) {
    Atomics.store(current, 0, index)
    const meter = charged && createMeter(charged)
    const values = parseExactly(json) as Value[]
    const writeJson = createWriter()
    if (meter?.isShared) meter.restart()
    for (const [position, id] of ids.entries()) {
      if (meter && !meter.mayGoOn(position)) {
        states[index++] = caseStates.skipped
        continue
      }
      Atomics.store(current, 0, index)
      try {
        const expression = compiled.get(id) ?? { mistake: 'the expression is not known' }
        if ('mistake' in expression) throw new ExpressionError('ValueError', expression.mistake)
        if (kind === 'test') states[index] = expression.test(values) ? caseStates.isTrue : caseStates.isFalse
        else {
          reply.values[index] = writeJson(toJson(expression.evaluate(values)))
          states[index] = caseStates.isTrue
        }
      } catch (problem) {
        states[index] = caseStates.failed
        reply.errors.push(describe(problem, index))
      }
      meter?.charge(position)
      index += 1
    }
  }
  return reply
}

parentPort?.on('message', (job: Job) => parentPort?.postMessage(work(job)))

// A thread is ended from outside, which would leave nothing in the cache for the next one.
flushCompileCache()
