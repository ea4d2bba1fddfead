/** Computes on foreign data, on threads of its own and under a deadline that ends the work. See README.md. */
import { availableParallelism } from 'node:os'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/index.ts'
import { aloneOnMachine, type Machine, partOf } from '../process/machine.ts'
import { type Computation, defineComputation } from './computation.ts'
import { toOutcome } from './outcome.ts'
import { createPool } from './pool.ts'
import { bytesLeft } from './size-of.ts'

export { type Computation, defineComputation }

interface Options {
  /** Whose turn it takes: a scope or an account. */
  owner: string
  /** Less, or more, than the computation usually has. */
  deadlineMs?: number
  /** The caller no longer waits. What has begun still runs to its end. */
  signal?: AbortSignal
}

/**
 * Rejects with `computation_too_large`, `computation_too_long`, `too_many_requests` where the owner has too many waiting,
 * the computation's own AppError, or the signal's reason.
 */
export type Compute = <Input, Output>(
  computation: Computation<Input, Output>,
  input: Input,
  options: Options,
) => Promise<Output>

export interface Computing {
  compute: Compute
  /** Those that wait or run fail with `not_ready`. */
  stop(): Promise<void>
}

interface Settings {
  threads?: number
  memoryMb?: number
  /** A thread that had nothing to do for as long is ended. */
  idleMs?: number
  maxWaitingPerOwner?: number
}

interface Needs {
  log: Pick<Log, 'warn'>
  metrics: Pick<Metrics, 'counter' | 'gauge'>
  machine?: Machine
}

export const createCompute = (
  { log, metrics, machine = aloneOnMachine }: Needs,
  settings: Settings = {},
): Computing => {
  const ended = metrics.counter({
    name: 'chancery_computations_total',
    help: 'Computations on foreign data, by name and by how they ended.',
    labels: ['computation', 'outcome'],
  })
  const pool = createPool({
    // At least two, so that one owner's longest computation never has the only thread.
    threads: Math.max(2, partOf(machine, Math.min(4, availableParallelism() - 1))),
    memoryMb: 256,
    idleMs: 30_000,
    maxWaiting: 1000,
    maxWaitingPerOwner: 100,
    ...settings,
  })
  metrics.gauge({
    name: 'chancery_computations',
    help: 'Computations on foreign data that wait or run.',
    labels: ['state'],
    read: () => Object.entries(pool.state()).map(([state, count]) => [[state], count]),
  })

  const compute: Compute = async (computation, input, { owner, deadlineMs = computation.deadlineMs, signal }) => {
    signal?.throwIfAborted()
    const { name, module, maxInputBytes, maxOutputBytes } = computation
    const count = (outcome: string) => ended.of(name, outcome).add()
    if (bytesLeft(input, maxInputBytes) < 0) {
      count('too large')
      throw new AppError('computation_too_large')
    }
    const order = { href: module.href, input, maxOutputBytes }
    const ending = await pool.run({ order, deadlineMs, owner, signal })
    count(ending.end)
    if (ending.end === 'deadline' || ending.end === 'memory' || ending.end === 'crash')
      log.warn({ computation: name, owner, failure: ending.end }, 'A computation was ended from outside.')
    return toOutcome(name, ending) as never
  }

  return { compute, stop: pool.stop }
}
