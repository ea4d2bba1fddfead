/** Builds an object, each field by an expression. */
import type { ConfigOf, Executor } from '../shared/node-interface.ts'
import { type ExpressionNeeds, evaluateAll } from './expressions.ts'

export const transform =
  (needs: ExpressionNeeds): Executor<ConfigOf<'transform'>> =>
  async (call) => {
    const names = Object.keys(call.config.fields)
    const values = await evaluateAll(needs, call, Object.values(call.config.fields))
    return { kind: 'done', output: Object.fromEntries(names.map((name, index) => [name, values[index]])) }
  }
