/** Which facts go into a request: those that share words with the question first, then the newest, within the budget. */
const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])

export const chooseFacts = (facts: readonly string[], question: string, budget: number): string[] => {
  const asked = wordsOf(question)
  const shared = (fact: string): number => [...wordsOf(fact)].filter((word) => asked.has(word)).length
  const ranked = facts.map((fact) => ({ fact, score: shared(fact) })).sort((one, other) => other.score - one.score)
  const chosen: string[] = []
  let left = budget
  for (const { fact } of ranked) {
    if (fact.length > left) continue
    chosen.push(fact)
    left -= fact.length
  }
  return chosen
}
