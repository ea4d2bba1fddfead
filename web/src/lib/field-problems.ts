/** Turns the problems found by a schema or the server into one sentence per form field. */
import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { ApiError } from './api-error.ts'
import { problemText } from './problem-text.ts'

export type Problems = Readonly<Record<string, string>>

/** The first problem of each field wins. The field is the last part of `path` that isn't an index. */
function gather(found: { path: readonly PropertyKey[]; message: string }[]): Problems {
  const problems: Record<string, string> = {}
  for (const { path, message } of found) {
    const field = path.findLast((part) => typeof part === 'string')
    if (typeof field === 'string') problems[field] ??= problemText(message)
  }
  return problems
}

export const problemsOfIssues = (issues: readonly { path: readonly PropertyKey[]; message: string }[]): Problems =>
  gather(issues.map(({ path, message }) => ({ path, message })))

const fromServer = ({ loc, msg }: FieldProblem) => ({ path: loc.filter((part) => part !== 'body'), message: msg })

/** Field problems of a failed call. `fieldOfCode` assigns error codes to a field: `{email_taken: 'email'}`. */
export function problemsOfError(error: ApiError, fieldOfCode: Readonly<Record<string, string>> = {}): Problems {
  const field = fieldOfCode[error.code]
  if (field !== undefined) return { [field]: error.message }
  return gather(error.problems.map(fromServer))
}
