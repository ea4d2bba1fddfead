/** Work on foreign data, declared by the module that needs it. Nothing runs here. */

export interface Computation<Input, Output> {
  readonly name: string
  /** Exports `compute`, and is loaded in a thread. Named `*.computation.ts`. */
  readonly module: URL
  /** Of the computation alone, not of waiting. */
  readonly deadlineMs: number
  /** Texts, keys, items and bytes of the input. */
  readonly maxInputBytes: number
  /** The same of the result. The server's own thread reads it, so it has a bound too. */
  readonly maxOutputBytes: number
  /** Never set: they carry the types. */
  readonly input?: Input
  readonly output?: Output
}

interface Definition {
  name: string
  module: URL
  deadlineMs: number
  maxInputBytes: number
  maxOutputBytes?: number
}

type Compute = (input: never) => unknown

const usualOutputBytes = 4 * 1024 * 1024

/** `defineComputation<typeof compute>({ … })`, with `compute` as a type from the module that it names. */
export const defineComputation = <Run extends Compute>(
  definition: Definition,
): Computation<Parameters<Run>[0], Awaited<ReturnType<Run>>> => ({ maxOutputBytes: usualOutputBytes, ...definition })
