/** What a server tells of its usage, as far as it can be true: no nonsense reaches a budget or a cost. Pure. */
import { readUsage, type TokenCounts } from './estimate.ts'

/** The most that a call can have used. */
export interface Believable {
  promptTokens(): number
  completionTokens(): number
}

/** Beyond what can be true, what we counted ourselves counts instead. */
export const believableUsage = (told: TokenCounts, most: Believable, counted: () => TokenCounts): TokenCounts => ({
  promptTokens: told.promptTokens <= most.promptTokens() ? told.promptTokens : counted().promptTokens,
  completionTokens:
    told.completionTokens <= most.completionTokens() ? told.completionTokens : counted().completionTokens,
})

/** The same, where the server is a user's own: at most a token for each byte that went there and came from there. */
export const boundedUsage = (told: TokenCounts, most: Believable): TokenCounts => ({
  promptTokens: Math.min(told.promptTokens, most.promptTokens()),
  completionTokens: Math.min(told.completionTokens, most.completionTokens()),
})

/** The usage object, with what it told replaced by what can be true. */
export const correctedUsage = (usage: unknown, believed: TokenCounts): unknown => {
  const told = readUsage(usage)
  const isTrue =
    !told || (told.promptTokens === believed.promptTokens && told.completionTokens === believed.completionTokens)
  if (isTrue) return usage
  const { promptTokens, completionTokens } = believed
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
}
