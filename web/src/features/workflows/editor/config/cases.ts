/** The cases of a condition, and how they may be called. Pure. */
import { freeId } from '../state/ids.ts'

export interface Case {
  handle: string
  expression: string
}

/** A draft may hold anything where cases belong. */
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

/** Ways out that a condition has besides its cases. */
const otherWays = ['else', 'error']

/** Edges hang on the name, so no two ways may share one. */
export function caseNameProblem(cases: readonly Case[], place: number, text: string): string | undefined {
  const name = text.trim()
  if (name === '') return 'Give it a name.'
  const isTaken = otherWays.includes(name) || cases.some(({ handle }, index) => index !== place && handle === name)
  return isTaken ? 'Another way has this name.' : undefined
}

/** `case_2` behind `case_1`, or the next that is free. */
export const freeCaseName = (cases: readonly Case[]): string =>
  freeId('case', new Set(['case', ...cases.map(({ handle }) => handle)]))
