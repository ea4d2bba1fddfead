/** Why a passage was found, as a sentence. Pure. */
import type { Reason } from '@chancery/contract/files/knowledge.ts'

const percent = (share: number) => `${Math.round(share * 100)}%`

export function reasonText({ words, meaning, reranked }: Reason): string {
  const parts = [
    words && `words: no. ${words.rank}, ${percent(words.coverage)} of the question`,
    meaning && `meaning: no. ${meaning.rank}, ${percent(meaning.similarity)} similar`,
    reranked && `reranking: ${percent(reranked.score)}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? 'Next to a passage that matches' : `Found by ${parts.join(' · ')}`
}
