/**
 * Pure. One ranking out of two. Ranks are added up as in reciprocal rank fusion, but words count only as far as they can
 * be trusted: a question whose weighty words all occur in the best chunk names what it looks for, one that shares few
 * words with any chunk is a paraphrase, and there vectors know better.
 */

export interface TextHit {
  id: number
  score: number
  coverage: number
}

export interface Fused {
  id: number
  /** From 0 to 1, best first. */
  score: number
}

const k = 10

export const fuse = (
  text: readonly TextHit[],
  vectors: readonly { id: number; score: number }[],
  limit: number,
): Fused[] => {
  if (vectors.length === 0) return scaled(text, limit)
  const trust = trustOf(text)
  const scores = new Map<number, number>()
  const add = (id: number, share: number) => scores.set(id, (scores.get(id) ?? 0) + share)
  for (const [rank, { id }] of text.entries()) add(id, (trust * k) / (k + rank))
  for (const [rank, { id }] of vectors.entries()) add(id, k / (k + rank))
  return [...scores]
    .map(([id, score]) => ({ id, score: score / (1 + trust) }))
    .toSorted((one, other) => other.score - one.score || one.id - other.id)
    .slice(0, limit)
}

/** From almost nothing, where the best chunk has less than a third of the question's weight, to more than vectors. */
const trustOf = ([best]: readonly TextHit[]): number => {
  const coverage = best?.coverage ?? 0
  return 0.1 + 1.4 * Math.min(1, Math.max(0, (coverage - 0.35) / 0.5))
}

const scaled = (hits: readonly TextHit[], limit: number): Fused[] => {
  const top = hits[0]?.score ?? 1
  return hits
    .slice(0, limit)
    .map(({ id, score, coverage }) => ({ id, score: (score / top) * Math.min(1, 0.4 + 0.6 * coverage) }))
}
