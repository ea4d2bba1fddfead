/** Messages between the server's thread and one that computes. */

export interface Order {
  href: string
  input: unknown
  maxOutputBytes: number
  /** One of `phases`, written by the thread. */
  phase: SharedArrayBuffer
}

export type Answer =
  | { end: 'done'; value: unknown }
  | { end: 'too large' }
  | { end: 'failed'; name: string; message: string; code?: string }

/** The deadline is the computation's own: loading its module may take long on a busy machine. */
export const phases = { loading: 0, computing: 1 } as const
