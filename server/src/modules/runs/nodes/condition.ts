/** Chooses the handle: `true` or `false`, or the first case that holds, or `else`. */
import type { ConfigOf, Executor } from '../shared/node-interface.ts'
import { type ExpressionNeeds, findHolding } from './expressions.ts'

export const condition =
  (needs: ExpressionNeeds): Executor<ConfigOf<'condition'>> =>
  async (call) => {
    const { expression, cases = [] } = call.config
    const texts = expression === undefined ? cases.map((one) => one.expression) : [expression]
    const holding = await findHolding(needs, call, texts)
    const handle = expression === undefined ? (cases[holding]?.handle ?? 'else') : String(holding === 0)
    return { kind: 'done', output: { handle }, handle }
  }
