/** Builds an object, each field by an expression. */
import { toJson } from '#kernel/expression/index.ts'
import type { ConfigOf, Executor } from '../node-face.ts'
import { compiled, valuesOf } from './expressions.ts'

export const transform: Executor<ConfigOf<'transform'>> = (call) => {
  const values = valuesOf(call)
  const fields = Object.entries(call.config.fields)
  const output = Object.fromEntries(fields.map(([name, text]) => [name, toJson(compiled(text).evaluate(values))]))
  return { kind: 'done', output }
}
