/**
 * Reads the OpenAPI description of a server and makes tools of it. The result is text and has a bound, because the server's
 * own thread reads it: tools are left out that are too large, or that come after too much.
 */
import { AppError } from '#kernel/errors.ts'
import { costOf } from '#kernel/json/parse-foreign.ts'
import { type Operation, readOperations } from './openapi-operations.ts'

interface Described {
  description: string
  /** Lower-case names of headers that are sent with every request anyway. */
  givenHeaders: readonly string[]
}

/** For one tool: no model is offered more. */
const maxOperationParts = 10_000
const maxAllParts = 100_000
const maxLength = 2 * 1024 * 1024

/** JSON of a list of `Operation`. */
export const compute = ({ description, givenHeaders }: Described): string => {
  const kept: string[] = []
  let [partsLeft, lengthLeft] = [maxAllParts, maxLength]
  for (const operation of readOperations(parse(description), new Set(givenHeaders))) {
    const json = JSON.stringify(operation satisfies Operation)
    const parts = costOf(json, maxOperationParts)
    if (parts === 'too deep' || parts > Math.min(partsLeft, maxOperationParts) || json.length > lengthLeft) continue
    partsLeft -= parts
    lengthLeft -= json.length
    kept.push(json)
  }
  return `[${kept.join(',')}]`
}

const parse = (description: string): unknown => {
  try {
    return JSON.parse(description)
  } catch {
    throw new AppError('outbound_failed', { detail: 'The other server did not answer with valid JSON.' })
  }
}
