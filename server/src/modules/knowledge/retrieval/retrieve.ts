/** Finds the passages of a scope that answer a question: words and vectors, fused, neighbours joined. */
import type { Reason } from '@chancery/contract/files/knowledge.ts'
import type { Payer } from '#kernel/meter.ts'
import type { KnowledgeContext } from '../context.ts'
import { type ChunkRow, listChunksUnscoped } from '../queries/chunks.ts'
import { listUrlsUnscoped } from '../queries/collections.ts'
import type { Scope } from '../scope.ts'
import type { VectorHit, VectorSearch } from '../vectors/vector-slices.ts'
import { searchText } from './full-text.ts'
import { fuse, type TextHit } from './fuse.ts'

export interface Passage {
  fileId: string
  name: string
  url: string | undefined
  text: string
  page: number | null
  heading: string | null
  score: number
  reason: Reason
}

export interface Question {
  query: string
  k: number
  /** False: vectors alone, where there are any. */
  isHybrid?: boolean | undefined
  /** False: no model reranks them. */
  isReranked?: boolean | undefined
  threshold?: number | undefined
  /** Whose usage it is. */
  payer: Payer
  signal: AbortSignal
}

type Deps = Pick<KnowledgeContext, 'db' | 'embeddings' | 'files' | 'reranker' | 'servingEngine' | 'vectors'>

const candidates = 60
/** The number of passages that go to a reranker. */
const rerankedCount = 30

export const retrieve = async (context: Deps, scope: Scope, question: Question): Promise<Passage[]> => {
  const { db } = context
  const searching = searchText(db, scope, { query: question.query, limit: candidates })
  const meanwhile = async () => (await searching).map(({ id }) => id)
  const [text, vectors] = await Promise.all([searching, searchVectors(context, scope, { ...question, meanwhile })])
  const usesText = question.isHybrid !== false || vectors.length === 0
  const best = fuse(usesText ? text : [], vectors, Math.max(question.k, rerankedCount))
  const scores = new Map(best.map(({ id, score }) => [id, score]))
  const reasonOf = explain(usesText ? text : [], vectors)
  const chunks = await listChunksUnscoped(db, scope, [...scores.keys()])
  const found = chunks
    .map((chunk) => ({ ...chunk, score: scores.get(chunk.id) ?? 0, reason: reasonOf(chunk.id) }))
    .toSorted((one, other) => other.score - one.score)
  const ranked = await rerank(context, found, question)
  const { k, threshold = 0 } = question
  return name(context, joinNeighbours(ranked.filter(({ reason }) => relevanceOf(reason) >= threshold).slice(0, k)))
}

/** In the order of the reranker, with its scores, where there is one; what it was not asked about comes after. */
const rerank = async ({ reranker }: Deps, found: Scored[], question: Question): Promise<Scored[]> => {
  if (question.isReranked === false) return found
  const texts = found.slice(0, rerankedCount).map(({ heading, text }) => (heading ? `${heading}\n${text}` : text))
  const scores = await reranker.score(question.query, texts, question)
  if (!scores) return found
  const reranked = found
    .slice(0, rerankedCount)
    .map((chunk, index) => {
      const score = scores[index] ?? 0
      return { ...chunk, score, reason: { ...chunk.reason, reranked: { score } } }
    })
    .toSorted((one, other) => other.score - one.score)
  return [...reranked, ...found.slice(rerankedCount).map((chunk) => ({ ...chunk, score: 0 }))]
}

/** Unlike the score, which only orders the passages of one question, this can be compared with a limit. */
const relevanceOf = ({ words, meaning, reranked }: Reason): number =>
  reranked?.score ?? Math.max(words?.coverage ?? 0, meaning?.similarity ?? 0)

/** Pure. Which of the two searches found a chunk, and how well. */
const explain = (text: readonly TextHit[], vectors: readonly VectorHit[]) => {
  const words = new Map(text.map(({ id, score, coverage }, index) => [id, { rank: index + 1, score, coverage }]))
  const meaning = new Map(vectors.map(({ id, score }, index) => [id, { rank: index + 1, similarity: score }]))
  return (id: number): Reason => {
    const [byWords, byMeaning] = [words.get(id), meaning.get(id)]
    return { ...(byWords && { words: byWords }), ...(byMeaning && { meaning: byMeaning }) }
  }
}

/** `meanwhile` are the chunks that are compared while the vectors of the scope are still being read. */
const searchVectors = async (
  context: Deps,
  scope: Scope,
  { query, payer, signal, meanwhile }: Question & Required<Pick<VectorSearch, 'meanwhile'>>,
) => {
  const { db, embeddings, vectors } = context
  const current = embeddings.engine()
  if (!current) return []
  const servingId = await context.servingEngine(db, current.id)
  const embedded = await embeddings.embedQuestion(query, { servingId, payer, signal })
  return embedded ? vectors.search(db, scope, { ...embedded, limit: candidates, meanwhile }) : []
}

type Scored = ChunkRow & { score: number; reason: Reason }

/**
 * Pure. Chunks that follow each other under the same heading and on the same page become one passage, without the text
 * that they share; best first.
 */
export const joinNeighbours = (chunks: readonly Scored[]): Scored[] => {
  const sorted = chunks.toSorted((one, other) =>
    one.fileId === other.fileId ? one.position - other.position : one.fileId < other.fileId ? -1 : 1,
  )
  const joined: (Scored & { last: number })[] = []
  for (const chunk of sorted) {
    const before = joined.at(-1)
    if (before && before.last + 1 === chunk.position && isCitedAlike(before, chunk)) {
      before.text = withoutOverlap(before.text, chunk.text)
      before.last = chunk.position
      if (chunk.score > before.score) Object.assign(before, { score: chunk.score, reason: chunk.reason })
    } else joined.push({ ...chunk, last: chunk.position })
  }
  return joined.toSorted((one, other) => other.score - one.score)
}

/** True when both have the same citation. */
const isCitedAlike = (one: Scored, other: Scored): boolean =>
  one.fileId === other.fileId && one.heading === other.heading && one.page === other.page

const maxOverlap = 2000

const withoutOverlap = (one: string, other: string): string => {
  for (let length = Math.min(one.length, other.length, maxOverlap); length > 10; length -= 1)
    if (one.endsWith(other.slice(0, length))) return one + other.slice(length)
  return `${one}\n${other}`
}

const name = async ({ db, files }: Deps, chunks: readonly Scored[]): Promise<Passage[]> => {
  const ids = [...new Set(chunks.map(({ fileId }) => fileId))]
  const [rows, urls] = await Promise.all([files.listUnscoped(db, ids), listUrlsUnscoped(db, ids)])
  const names = new Map(rows.map((file) => [file.id, file.name]))
  return chunks.map(({ fileId, text, page, heading, score, reason }) => ({
    fileId,
    text,
    page,
    heading,
    score,
    reason,
    name: names.get(fileId) ?? '',
    url: urls.get(fileId),
  }))
}
