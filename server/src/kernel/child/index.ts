/**
 * Runs work that must not run in the server (parsing foreign files, plugins) in limited child processes.
 * README.md says what is enforced, and by what.
 */
import type { Log } from '#kernel/log.ts'
import type { Metrics } from '#kernel/metrics/index.ts'
import { aloneOnMachine, type Machine, partOf } from '#kernel/process/machine.ts'
import { createMachinePlaces } from '../turns/machine-places.ts'
import { createPlaces } from '../turns/places.ts'
import { turnsIn } from '../turns/turns.ts'
import { type Confinement, probeConfinement } from './confinement.ts'
import { ChildFailure, type ChildFailureCode, exhausted } from './failures.ts'
import { createPool, type Pool } from './pool.ts'
import { type Program, type ProgramEnd, runProgram } from './program.ts'
import { type RunOptions, type TaskTable, type Worker, type WorkerDefinition, withDefaults } from './worker.ts'

export type { ChildLimits, RunOptions, TaskContext, TaskTable, Worker, WorkerDefinition } from './worker.ts'
export { ChildFailure, type ChildFailureCode, exhausted }

export interface Children {
  /**
   * Once per worker, when the module is created. What works at the same time is counted for the machine. No process is
   * started before the first task.
   */
  declare<Tasks extends TaskTable>(definition: WorkerDefinition): Worker<Tasks>
  /**
   * Runs one task and returns its result. Rejects with a `ChildFailure`, or with the signal's reason when cancelled.
   * The result comes from a process that read foreign data: parse it before trusting more than its type.
   */
  run<Tasks extends TaskTable, Name extends keyof Tasks & string>(
    worker: Worker<Tasks>,
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    options: RunOptions,
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>
  /** Runs another program once, cut off in the same way, one on the machine. Ends as `stopped` when the server stops. */
  runProgram(program: Program): Promise<ProgramEnd>
  /** Waiting tasks and running processes, by worker. */
  state(): { worker: string; waiting: number; pids: number[] }[]
  /** Which protections of the operating system this machine has; tried at the first call. */
  confinement(): Promise<Confinement>
  /** Kills every child and every program. Running and waiting tasks fail with `child_stopped`. */
  stop(): Promise<void>
}

interface Needs {
  log: Log
  metrics: Metrics
  machine?: Machine
  /** Tests that share the cores don't wait behind each other. */
  givesWay?: boolean
}

export const createChildren = ({ log, metrics, machine = aloneOnMachine, givesWay = true }: Needs): Children => {
  const pools = new Map<string, Pool>()
  const slots = new Set<number>()
  const programs = new Set<Promise<ProgramEnd>>()
  const stopping = new AbortController()
  const takeProgramTurn = turnsIn(createMachinePlaces(machine, 'program', { most: 1, perTenant: 1 }))
  let probed: Promise<Confinement> | undefined
  const confinement = () => {
    probed ??= probeConfinement(log)
    return probed
  }
  const tasks = metrics.counter({
    name: 'chancery_child_tasks_total',
    help: 'Tasks in child processes by how they ended.',
    labels: ['worker', 'outcome'],
  })
  const stateOf = () => [...pools].map(([worker, pool]) => ({ worker, waiting: pool.waiting(), pids: pool.pids() }))
  metrics.gauge({
    name: 'chancery_child_tasks_waiting',
    help: 'Tasks that wait for a child process.',
    labels: ['worker'],
    read: () => stateOf().map(({ worker, waiting }) => [[worker], waiting]),
  })
  metrics.gauge({
    name: 'chancery_child_processes',
    help: 'Child processes that run.',
    labels: ['worker'],
    read: () => stateOf().map(({ worker, pids }) => [[worker], pids.length]),
  })
  const takeSlot = () => {
    let slot = machine.slot
    // Another server's children have the slots between. One more than `count` run while they are replaced.
    while (slots.has(slot)) slot += machine.count + 1
    slots.add(slot)
    return { slot, release: () => void slots.delete(slot) }
  }
  const runInTurn = async (program: Program): Promise<ProgramEnd> => {
    const found = await confinement()
    const endTurn = await takeProgramTurn(program.tenant, stopping.signal).catch(() => undefined)
    if (!endTurn) return { kind: 'stopped' }
    const { slot, release } = takeSlot()
    return runProgram(program, { confinement: found, givesWay, slot, signal: stopping.signal }).finally(() => {
      release()
      endTurn()
    })
  }

  return {
    declare: (definition) => {
      if (pools.has(definition.name)) throw new Error(`There are two workers named ${definition.name}.`)
      const settings = withDefaults(definition)
      const { processes: most, processesPerTenant: perTenant, spareProcesses: spare, isLasting } = settings
      const rule = { most, perTenant, spare }
      const places = isLasting ? createPlaces(rule) : createMachinePlaces(machine, `child ${definition.name}`, rule)
      const kept = isLasting ? most : partOf(machine, most + spare)
      pools.set(definition.name, createPool(settings, { log, givesWay, confinement, takeSlot, places, kept }))
      return { name: definition.name }
    },
    run: (worker, name, input, options) =>
      new Promise((resolve, reject) => {
        const pool = pools.get(worker.name)
        if (!pool) throw new Error(`No worker named ${worker.name} is declared.`)
        const end = (outcome: string) => tasks.of(worker.name, outcome).add()
        pool.add({
          name,
          input,
          options,
          resolve: (value) => {
            end('done')
            resolve(value as never)
          },
          reject: (problem) => {
            end(problem instanceof ChildFailure ? problem.code : 'cancelled')
            reject(problem)
          },
        })
      }),
    runProgram: (program) => {
      const running = runInTurn(program).finally(() => programs.delete(running))
      programs.add(running)
      return running
    },
    state: stateOf,
    confinement,
    stop: async () => {
      stopping.abort()
      await Promise.all([...[...pools.values()].map((pool) => pool.stop()), ...programs])
    },
  }
}
