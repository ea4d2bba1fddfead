/** Every way in which a task in a child process can end badly. The codes are stable: modules decide by them. */

export type ChildFailureCode =
  /** The process did not come up: a script that cannot be read or does not load. */
  | 'child_start_failed'
  /** The process ended by itself or was killed by someone else. */
  | 'child_crashed'
  | 'child_out_of_memory'
  | 'child_cpu_limit'
  | 'child_timeout'
  /** More bytes, or more messages, than the worker's limits allow. */
  | 'child_output_limit'
  /** A message that this protocol does not have: the process is no longer trusted. */
  | 'child_protocol_error'
  /** As many tasks wait as may wait. */
  | 'child_queue_full'
  /** The server is stopping. */
  | 'child_stopped'
  /** The task's own function threw; `taskError` has its words. The process goes on. */
  | 'child_task_failed'

/** Codes of a task that was too much for its process: it reached a limit or crashed. */
export const exhausted: ReadonlySet<ChildFailureCode> = new Set([
  'child_out_of_memory',
  'child_cpu_limit',
  'child_timeout',
  'child_output_limit',
  'child_crashed',
])

/** The error of a task, as the child reported it: foreign text, to be shown with care. */
export interface TaskError {
  name: string
  message: string
  code?: string
}

export class ChildFailure extends Error {
  readonly code: ChildFailureCode
  readonly taskError: TaskError | undefined

  constructor(code: ChildFailureCode, message: string, taskError?: TaskError) {
    super(message)
    this.name = 'ChildFailure'
    this.code = code
    this.taskError = taskError
  }
}
