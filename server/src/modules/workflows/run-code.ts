/** Port: runs the JavaScript of `code` nodes, away from the server. Plugins fills it; `app.ts` connects the two. */

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

export type CodeOutcome = { kind: 'value'; value: unknown } | CodeProblem

/** `interrupted`: the process was lost because of other code. Another attempt can help then, and only then. */
interface CodeProblem {
  kind: 'problem'
  reason: 'syntax' | 'threw' | 'limit' | 'timeout' | 'interrupted'
  message: string
  /** In the code, from 1. */
  line: number | null
}
