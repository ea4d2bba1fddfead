/** Chooses the handle: `true` or `false`, or the first case that holds, or `else`. */
import type { ConfigOf, Executor } from '../node-face.ts'
import { compiled, valuesOf } from './expressions.ts'

export const condition: Executor<ConfigOf<'condition'>> = (call) => {
  const { expression, cases } = call.config
  const holds = (text: string): boolean => compiled(text).test(valuesOf(call))
  const handle =
    expression === undefined
      ? (cases?.find((one) => holds(one.expression))?.handle ?? 'else')
      : String(holds(expression))
  return { kind: 'done', output: { handle }, handle }
}
