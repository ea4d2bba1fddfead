/** Prices of models while typing, and the request body made from them. */
import { type ModelPrices, Price } from '@chancery/contract/models/prices.ts'
import { problemText } from '#lib/problems/problem-text.ts'

export interface PriceDraft {
  input: string
  output: string
}

/** By model ID. */
export type PriceDrafts = ReadonlyMap<string, PriceDraft>

const blank: PriceDraft = { input: '', output: '' }

export const priceDrafts = (prices: ModelPrices = {}): PriceDrafts =>
  new Map(Object.entries(prices).map(([id, { input, output }]) => [id, { input: plain(input), output: plain(output) }]))

/** Never as `1e-7`, which nobody types. */
const plain = (amount: number): string => amount.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 6 })

export const draftOf = (drafts: PriceDrafts, id: string): PriceDraft => drafts.get(id) ?? blank

export const withPrice = (drafts: PriceDrafts, id: string, change: Partial<PriceDraft>): PriceDrafts =>
  new Map(drafts).set(id, { ...draftOf(drafts, id), ...change })

const isGiven = ({ input, output }: PriceDraft): boolean => `${input}${output}`.trim() !== ''

/** Text that isn't a number is passed on and comes back as a problem. */
const asNumber = (typed: string): unknown => {
  const text = typed.trim()
  return text === '' || Number.isNaN(Number(text)) ? text : Number(text)
}

const asPrice = ({ input, output }: PriceDraft) => ({ input: asNumber(input), output: asNumber(output) })

/** A model with blank fields has no price. */
export const pricesBody = (drafts: PriceDrafts, ids: readonly string[] = [...drafts.keys()]) =>
  Object.fromEntries(ids.filter((id) => isGiven(draftOf(drafts, id))).map((id) => [id, asPrice(draftOf(drafts, id))]))

/** The problem of either field. */
export function priceProblems(draft: PriceDraft): Partial<Record<keyof PriceDraft, string>> {
  if (!isGiven(draft)) return {}
  const checked = Price.safeParse(asPrice(draft))
  return Object.fromEntries(
    (checked.error?.issues ?? []).toReversed().map(({ path, message }) => [String(path[0]), problemText(message)]),
  )
}
