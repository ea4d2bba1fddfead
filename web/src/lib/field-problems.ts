/** ConcurrencyLimit what a schema or the server says about a body into one sentence per form field. */
import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { ApiError } from './api-error.ts'

export type Problems = Readonly<Record<string, string>>

const asSentence = (words: string) => {
  const text = words.trim()
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(start) ? start : `${start}.`
}

/** The first problem of each field wins. `path` names where in the body: its last name that is not a number is the field. */
function gather(found: { path: readonly PropertyKey[]; message: string }[]): Problems {
  const problems: Record<string, string> = {}
  for (const { path, message } of found) {
    const field = path.findLast((part) => typeof part === 'string')
    if (typeof field === 'string') problems[field] ??= asSentence(message)
  }
  return problems
}

export const problemsOfIssues = (issues: readonly { path: readonly PropertyKey[]; message: string }[]): Problems =>
  gather(issues.map(({ path, message }) => ({ path, message })))

const fromServer = ({ loc, msg }: FieldProblem) => ({ path: loc.filter((part) => part !== 'body'), message: msg })

/** Field problems of a refused call. `fieldOfCode` places errors that are about one field: `{email_taken: 'email'}`. */
export function problemsOfError(error: ApiError, fieldOfCode: Readonly<Record<string, string>> = {}): Problems {
  const field = fieldOfCode[error.code]
  if (field !== undefined) return { [field]: asSentence(error.message) }
  return gather(error.problems.map(fromServer))
}
