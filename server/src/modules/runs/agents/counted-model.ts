/** A model whose calls are counted, at the price of the connection that answered, and recorded. */
import type { Price } from '@chancery/contract/models/prices.ts'
import { type ResolvedModel, readUsage, type WholeAnswer } from '#modules/models/index.ts'
import { type Amount, costOf, type Tokens } from '../core/cost.ts'
import type { OpenCall, Spent } from './agent-trace.ts'

interface Watch {
  count(tokens: Tokens, cost: Amount | null): void
  /** Called before each call of the model. */
  record(): OpenCall
}

/** For calls without streaming, which is how agents call. */
export const countedModel = (model: ResolvedModel, { count, record }: Watch): ResolvedModel => ({
  ...model,
  call: async (call) => {
    let answeredBy: { price: Price | null } | undefined
    const recorded = record()
    try {
      const answer = await model.call({
        ...call,
        onAnswer: (connection) => {
          answeredBy = connection
        },
      })
      if (answer.kind !== 'whole') return answer
      const spent = spentBy(answer, answeredBy?.price ?? null)
      count(spent.tokens ?? { prompt: 0, completion: 0 }, spent.cost)
      recorded.answered(answer.completion, spent)
      return answer
    } catch (problem) {
      recorded.failed(problem)
      throw problem
    }
  },
})

/** A provider that doesn't report its usage leaves the cost unknown, whatever its price. */
const spentBy = ({ completion }: WholeAnswer, price: Price | null): Spent => {
  const usage = readUsage(completion.usage)
  const tokens = usage && { prompt: usage.promptTokens, completion: usage.completionTokens }
  return { tokens, cost: tokens && price ? costOf(tokens, price) : null }
}
