/** The cases of a condition, and which names they may have. Pure. */
import { freeId } from '../state/ids.ts'

export interface Case {
  handle: string
  expression: string
}

/** A draft may contain any value here. */
export const casesOf = (value: unknown): Case[] =>
  Array.isArray(value)
    ? value.map((one: unknown) => {
        const { handle, expression } = (one ?? {}) as Partial<Record<keyof Case, unknown>>
        return {
          handle: typeof handle === 'string' ? handle : '',
          expression: typeof expression === 'string' ? expression : '',
        }
      })
    : []

/** Outputs that a condition has besides its cases. */
const fixedOutputs = ['else', 'error']

/** Edges refer to outputs by name, so names must be unique. */
export function caseNameProblem(cases: readonly Case[], at: number, text: string): string | undefined {
  const name = text.trim()
  if (name === '') return 'Enter a name.'
  const isTaken = fixedOutputs.includes(name) || cases.some(({ handle }, index) => index !== at && handle === name)
  return isTaken ? 'Another output has this name.' : undefined
}

/** `case_2` after `case_1`, or the next unused number. */
export const freeCaseName = (cases: readonly Case[]): string =>
  freeId('case', new Set(['case', ...cases.map(({ handle }) => handle)]))
