/** Explains the problems of a table's row: the first one of each column. Pure. */
import { problemText } from '#lib/problems/problem-text.ts'

/** `Supplier email: Invalid email address` → `Supplier email: Enter a valid email.` */
export function rowProblems(problems: readonly string[]): string[] {
  const shown = new Map<string, string>()
  for (const problem of problems) {
    const [, column, message] = /^([^:]+): (.+)$/.exec(problem) ?? []
    if (column === undefined || message === undefined) shown.set(problem, problem)
    else if (!shown.has(column)) shown.set(column, `${column}: ${problemText(message)}`)
  }
  return [...shown.values()]
}
