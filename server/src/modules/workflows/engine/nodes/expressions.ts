/** Expressions of nodes, over `state`, `input` and `event`. Compiled once, since a graph runs many times. */
import { compileExpression, type Expression } from '#kernel/expression/index.ts'
import { stateNames } from '../../graph/config-rules.ts'
import type { NodeCall } from '../node-face.ts'

const maxCached = 2000
const cache = new Map<string, Expression>()

export const compiled = (text: string): Expression => {
  const known = cache.get(text)
  if (known) return known
  if (cache.size >= maxCached) cache.clear()
  const expression = compileExpression(text, stateNames)
  cache.set(text, expression)
  return expression
}

/** In the order of the names. */
export const valuesOf = ({ state, input, event }: Pick<NodeCall, 'state' | 'input' | 'event'>): readonly unknown[] => [
  state,
  input,
  event,
]
