/** A model that reports the tokens of each call, and their cost at the price of the connection that answered. */
import type { Price } from '@chancery/contract/prices.ts'
import { type ResolvedModel, readUsage, type WholeAnswer } from '#modules/models/index.ts'
import { type Amount, costOf, type Tokens } from '../core/cost.ts'

type Report = (tokens: Tokens, cost: Amount | null) => void

/** For calls without streaming, which is how agents call. */
export const countedModel = (model: ResolvedModel, report: Report): ResolvedModel => ({
  ...model,
  call: async (call) => {
    let answeredBy: { price: Price | null } | undefined
    const answer = await model.call({
      ...call,
      onAnswer: (connection) => {
        answeredBy = connection
      },
    })
    if (answer.kind === 'whole') count(answer, answeredBy?.price ?? null, report)
    return answer
  },
})

/** A provider that doesn't report its usage leaves the cost unknown, whatever its price. */
const count = ({ completion }: WholeAnswer, price: Price | null, report: Report): void => {
  const usage = readUsage(completion.usage)
  const tokens = { prompt: usage?.promptTokens ?? 0, completion: usage?.completionTokens ?? 0 }
  report(tokens, usage && price ? costOf(tokens, price) : null)
}
