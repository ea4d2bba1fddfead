/** Expressions of nodes, over `state`, `input`, `event` and its `payload`. They are evaluated off the server's thread. */

import type { Name } from '@chancery/expression'
import { type Expressions, toExpressionError } from '#kernel/expressions/expressions.ts'
import { stateNames } from '#modules/workflow-graph/index.ts'
import type { NodeCall } from '../shared/node-interface.ts'

export interface ExpressionNeeds {
  expressions: Pick<Expressions, 'test' | 'evaluateAll'>
}

type Call = Pick<NodeCall, 'state' | 'input' | 'event'> & {
  /** Further values, by the names that only this node's expressions have. */
  more?: Readonly<Record<string, unknown>>
}

const namesOf = ({ more = {} }: Call): readonly Name[] => [...stateNames, ...Object.keys(more)]

/** In the order of the own names. */
const valuesOf = ({ state, input, event, more = {} }: Call): readonly unknown[] => [
  state,
  input,
  event,
  ...Object.values(more),
]

/** The results as JSON. Throws the error of the first that failed. */
export const evaluateAll = (
  { expressions }: ExpressionNeeds,
  call: Call,
  texts: readonly string[],
): Promise<unknown[]> => expressions.evaluateAll({ names: namesOf(call), values: valuesOf(call), texts })

/** The index of the first that holds, or -1. One that fails before it throws. */
export const findHolding = async (
  { expressions }: ExpressionNeeds,
  call: Call,
  texts: readonly string[],
): Promise<number> => {
  const verdicts = await expressions.test({
    names: namesOf(call),
    groups: [{ values: valuesOf(call), texts }],
  })
  for (const [index, verdict] of verdicts.entries()) {
    if ('error' in verdict) throw toExpressionError(verdict.error)
    if (verdict.holds) return index
  }
  return -1
}
