/** Chooses a handle by an expression, or by the first case that holds. */
import type { FieldProblem } from '../fields/field-problem.ts'
import { expression, problem } from './checks.ts'
import type { NodeKind, Surroundings } from './kind.ts'

export const condition: NodeKind<'condition'> = {
  texts: [],
  check: ({ expression: text, cases = [] }, around) =>
    (text === undefined) === (cases.length === 0)
      ? [problem(['expression'], 'needs either an expression or cases, not both')]
      : [...expression(['expression'], text, around), ...caseProblems(cases, around)],
  isOutward: false,
  isCall: false,
  ownHandles: ({ cases }) => (Array.isArray(cases) && cases.length > 0 ? [...caseHandles(cases), 'else'] : undefined),
  handleOf: (output) => (typeof output?.handle === 'string' ? output.handle : null),
  isTransparent: () => true,
}

const reserved = new Set(['else', 'error'])

const caseProblems = (cases: readonly { handle: string; expression: string }[], around: Surroundings): FieldProblem[] =>
  cases.flatMap(({ handle, expression: text }, index) => {
    const found = expression(['cases', index, 'expression'], text, around)
    if (reserved.has(handle)) found.push(problem(['cases', index, 'handle'], `must not be "${handle}"`))
    if (cases.findIndex((one) => one.handle === handle) < index)
      found.push(problem(['cases', index, 'handle'], 'must be different from the other cases'))
    return found
  })

/** In a draft, `cases` may contain anything. */
const caseHandles = (cases: readonly unknown[]): string[] =>
  cases.flatMap((one) => {
    const handle = (one as { handle?: unknown } | null)?.handle
    return typeof handle === 'string' ? [handle] : []
  })
