/** The expressions of nodes, over `state`, `input` and `event`. Compiled once: a graph runs many times. */
import { compileExpression, type Expression } from '#kernel/expression/index.ts'
import { stateNames } from '../../graph/config-rules.ts'
import type { NodeCall } from '../node-face.ts'

const mostKept = 2000
const kept = new Map<string, Expression>()

export const compiled = (text: string): Expression => {
  const known = kept.get(text)
  if (known) return known
  if (kept.size >= mostKept) kept.clear()
  const expression = compileExpression(text, stateNames)
  kept.set(text, expression)
  return expression
}

/** In the order of the names. */
export const valuesOf = ({ state, input, event }: Pick<NodeCall, 'state' | 'input' | 'event'>): readonly unknown[] => [
  ...[state, input, event],
]
