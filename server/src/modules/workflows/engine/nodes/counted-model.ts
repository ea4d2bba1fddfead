/** A model each of whose calls is told: how many tokens it took, and what these cost where it was answered. */
import type { Price } from '@chancery/contract/prices.ts'
import { type ResolvedModel, readUsage, type WholeAnswer } from '#modules/models/index.ts'
import type { Tokens } from '../cost.ts'
import { type Amount, costOf } from '../cost.ts'

type Tell = (tokens: Tokens, cost: Amount | null) => void

/** Calls that are not streamed, which is how agents ask. */
export const countedModel = (model: ResolvedModel, tell: Tell): ResolvedModel => ({
  ...model,
  call: async (call) => {
    let by: { price: Price | null } | undefined
    const answer = await model.call({
      ...call,
      onAnswer: (told) => {
        by = told
      },
    })
    if (answer.kind === 'whole') count(answer, by?.price ?? null, tell)
    return answer
  },
})

/** A provider that does not say how much it used leaves the cost unknown, whatever its price. */
const count = ({ completion }: WholeAnswer, price: Price | null, tell: Tell): void => {
  const usage = readUsage(completion.usage)
  const tokens = { prompt: usage?.promptTokens ?? 0, completion: usage?.completionTokens ?? 0 }
  tell(tokens, usage && price ? costOf(tokens, price) : null)
}
