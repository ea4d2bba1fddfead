/**
 * Runs JavaScript that people and models write, away from the server. A port: plugins implements it, workflows calls it,
 * and neither knows the other.
 */

/** Rejects only with the signal's reason. */
export type RunCode = (request: CodeRequest) => Promise<CodeOutcome>

export interface CodeRequest {
  /** Tenants take turns. */
  tenantId: string
  /** Code with the same owner is kept apart from others once it hung or used up a process. */
  ownerId: string
  /** The body of an async function. */
  code: string
  /** Its parameters, by name. */
  args: Readonly<Record<string, unknown>>
  wallMs: number
  signal: AbortSignal
  onLog(line: string): void
}

type CodeOutcome = { kind: 'value'; value: unknown } | CodeProblem

/** `interrupted`: the process was lost because of other code. Another attempt can help then, and only then. */
export interface CodeProblem {
  kind: 'problem'
  reason: 'syntax' | 'threw' | 'limit' | 'timeout' | 'interrupted'
  message: string
  /** In the code, from 1. */
  line: number | null
}
