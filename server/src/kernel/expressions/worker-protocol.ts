/** Messages between the server's thread and the thread that evaluates expressions. */
import type { ErrorKind, Name } from '@chancery/expression'

/** An expression the worker has not seen yet. It keeps it under this number. */
export interface NewExpression {
  id: number
  text: string
  names: readonly Name[]
}

/** Expressions that are evaluated on the same values. */
export interface Group {
  /** `test`: whether each holds. `evaluate`: what each yields, as JSON. */
  kind: 'test' | 'evaluate'
  /** JSON of the values, in the order of the names. */
  values: string
  ids: readonly number[]
  /** Whose each of them is, and what is charged for it (`allowances.ts`). */
  charged?: { memory: SharedArrayBuffer; owners: readonly number[] } | undefined
}

export interface Job {
  learn: readonly NewExpression[]
  groups: readonly Group[]
  /** See `createProgress`. */
  progress: SharedArrayBuffer
}

export interface CaseError {
  /** Counted over all groups. */
  index: number
  kind: ErrorKind
  /** Begins with the kind. */
  message: string
}

export interface JobReply {
  errors: readonly CaseError[]
  /** For `evaluate`: JSON by index; undefined where there was an error. */
  values: readonly (string | undefined)[]
}

/** The state of each case of a job, readable while the worker is busy and after it was terminated. */
export const caseStates = { pending: 0, isTrue: 1, isFalse: 2, failed: 3, skipped: 4 } as const

const headBytes = 4

/** Memory that both threads see: which case is being evaluated, and how the others ended. */
export const createProgress = (cases: number): SharedArrayBuffer => {
  const buffer = new SharedArrayBuffer(headBytes + cases)
  Atomics.store(new Int32Array(buffer, 0, 1), 0, notStarted)
  return buffer
}

/** The thread is still loading its program, or has not got to the job yet. */
export const notStarted = -1

export const openProgress = (buffer: SharedArrayBuffer): { current: Int32Array; states: Uint8Array } => ({
  current: new Int32Array(buffer, 0, 1),
  states: new Uint8Array(buffer, headBytes),
})
