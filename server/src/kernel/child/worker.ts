/** A worker as its module declares it, and the context that its tasks get. Types and defaults only. */
import { availableParallelism } from 'node:os'

/** Given to every task, inside the child. */
export interface TaskContext {
  /** Aborts when the caller no longer wants the result. A task that ignores it is killed after a grace period. */
  signal: AbortSignal
  /** The file that the caller sent along, in pieces; empty when there is none. It comes no faster than it is read. */
  body: AsyncIterable<Uint8Array>
  /** Tells the caller how far the task is. Resolves when the message is on its way. */
  progress(message: unknown): Promise<void>
  /** Sends a piece of the file that the task makes. Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>
  /** Asks the server for something that the child itself may not do. Rejects with the server's refusal. */
  ask(name: string, message: unknown): Promise<unknown>
}

/** A worker's script exports `tasks`, one function for each kind of task. Input and output are JSON. */
export type TaskTable = Record<string, (input: never, context: TaskContext) => unknown>

/** Per task, except where a line says otherwise. */
export interface ChildLimits {
  /** Resident memory of the process. The JavaScript heap may have three quarters of it. */
  memoryMb: number
  cpuMs: number
  wallMs: number
  /** One message in either direction. Larger results go through `write`. */
  messageBytes: number
  /** Messages from the child: progress, questions. */
  messages: number
  /** Bytes that `write` sends. */
  outputBytes: number
}

export interface WorkerDefinition {
  /** In logs and metrics. */
  name: string
  /** Our own TypeScript file that exports `tasks`. */
  script: URL
  /** Folders and files that the child may read besides our code and its packages. */
  read?: readonly string[]
  /** Off unless there is no other way: the child's requests do not pass the outbound guard. */
  network?: boolean
  /**
   * The one native library that the script needs, by its path. It is loaded before the process gives up loading native
   * code; the script then gets it by `require` of the same path. Native code is held back by the system's layers only.
   */
  addon?: string
  /** The most that work at the same time on this machine. */
  processes?: number
  /** The most of them that work for one tenant at the same time; all unless told. */
  processesPerTenant?: number
  /** Beyond `processes`, and only for tenants that have used little of their time lately; none unless told. */
  spareProcesses?: number
  /** Its tasks last as long as their processes, so each server of the machine has its own. */
  isLasting?: boolean
  /** The most tasks that wait for one, in each server. */
  maxQueued?: number
  /** The most of them that are one tenant's: half, unless given. */
  maxQueuedPerTenant?: number
  /**
   * A task that takes more processor time gives way to other children from then on, and its process ends with it; never
   * unless told.
   */
  longAfterCpuMs?: number
  /** A process ends after so many tasks; 1 gives every task its own. */
  recycleAfter?: number
  /** A process without work ends after this time. */
  idleMs?: number
  /** A cancelled task may take this long to end before its process is killed. */
  cancelGraceMs?: number
  limits?: Partial<ChildLimits>
}

export type WorkerSettings = Required<Omit<WorkerDefinition, 'limits' | 'addon'>> &
  Pick<WorkerDefinition, 'addon'> & { limits: ChildLimits }

const defaultLimits: ChildLimits = {
  memoryMb: 512,
  cpuMs: 30_000,
  wallMs: 60_000,
  messageBytes: 4 * 1024 * 1024,
  messages: 10_000,
  outputBytes: 256 * 1024 * 1024,
}

const usualQueue = 200

export const withDefaults = (definition: WorkerDefinition): WorkerSettings => ({
  read: [],
  network: false,
  processes: Math.min(4, availableParallelism()),
  processesPerTenant: Number.POSITIVE_INFINITY,
  spareProcesses: 0,
  isLasting: false,
  maxQueued: usualQueue,
  maxQueuedPerTenant: Math.ceil((definition.maxQueued ?? usualQueue) / 2),
  longAfterCpuMs: Number.POSITIVE_INFINITY,
  recycleAfter: 50,
  idleMs: 30_000,
  cancelGraceMs: 1_000,
  ...definition,
  limits: { ...defaultLimits, ...definition.limits },
})

/** For `run`. */
export interface RunOptions {
  /** Whose turn it takes: a scope, or a name for work of the instance itself. */
  tenant: string
  signal?: AbortSignal
  /** A file for the task, streamed. */
  body?: AsyncIterable<Uint8Array>
  /** The child is not read from until the returned promise settles. */
  onProgress?: (message: unknown) => void | Promise<void>
  /** Receives what the task writes, piece by piece, at the receiver's own speed. */
  onBytes?: (bytes: Buffer) => void | Promise<void>
  /** Answers the task's questions. What it throws reaches the task as an error with the same words. */
  onAsk?: (name: string, message: unknown, signal: AbortSignal) => unknown
  /** Limits of this task where they differ from its worker's; memory belongs to the process and stays. */
  limits?: Partial<Omit<ChildLimits, 'memoryMb' | 'messageBytes'>>
}

/** A declared worker; the type parameter is the type of its script's `tasks`. */
export interface Worker<Tasks extends TaskTable> {
  readonly name: string
  /** Only for the compiler. */
  readonly tasks?: Tasks
}
