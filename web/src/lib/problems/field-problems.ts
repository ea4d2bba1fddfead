/** Turns the problems found by a schema or the server into one sentence per form field. */
import type { FieldProblem } from '@chancery/contract/errors.ts'
import { ApiError } from './api-error.ts'
import { problemSentence } from './problem-lines.ts'
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

type Issues = readonly { path: readonly PropertyKey[]; message: string }[]

export const problemsOfIssues = (issues: Issues): Problems =>
  gather(issues.map(({ path, message }) => ({ path, message })))

/** As if the server had found them. */
export function errorOfIssues(issues: Issues): ApiError {
  const problems = issues.map(({ path, message }) => ({
    loc: ['body', ...path.map((part) => (typeof part === 'number' ? part : String(part)))],
    msg: message,
    type: 'invalid',
  }))
  return new ApiError({ status: 422, code: 'validation_failed', sentence: problemSentence(problems), problems })
}

const fromServer = ({ loc, msg }: FieldProblem) => ({ path: loc.filter((part) => part !== 'body'), message: msg })

/** Field problems of a failed call. `fieldOfCode` assigns error codes to a field: `{email_taken: 'email'}`. */
export function problemsOfError(error: ApiError, fieldOfCode: Readonly<Record<string, string>> = {}): Problems {
  const field = fieldOfCode[error.code]
  if (field !== undefined) return { [field]: error.message }
  return gather(error.problems.map(fromServer))
}
