/** Full-text search over a scope, in every language that its documents have. */
import type { Db } from '#kernel/db/database.ts'
import { isTriple, searchableText } from '../chunks/searchable-text.ts'
import {
  boundOf,
  type Hit,
  scoreChunksUnscoped,
  scoreSmallScopeUnscoped,
  type WeighedWord,
  type Word,
} from '../queries/score.ts'
import {
  countMatchesUnscoped,
  type LanguageStats,
  listLanguagesUnscoped,
  preferIndexUnscoped,
  sampleMatchesUnscoped,
} from '../queries/search.ts'
import type { Scope } from '../scope.ts'

interface Search {
  query: string
  limit: number
}

/** More words say little more about a question, and each costs time. As many triples can come on top. */
const maxWords = 32

export const searchText = async (db: Db, scope: Scope, { query, limit }: Search): Promise<Hit[]> => {
  const searchable = searchableText(query).slice(0, 4000)
  if (searchable === '') return []
  const languages = await listLanguagesUnscoped(db, scope, searchable)
  const found = await Promise.all(languages.map((stats) => searchLanguage(db, scope, { stats, limit })))
  return best(found.flat(), limit)
}

/** Up to so many chunks it costs less to score all that match than to count the words first. */
const smallScope = 12_000

const searchLanguage = (
  db: Db,
  scope: Scope,
  { stats, limit }: { stats: LanguageStats; limit: number },
): Promise<Hit[]> => {
  const words = stats.lexemes.map((lexeme) => ({ lexeme, isCovering: !isTriple(lexeme) }))
  const asked = [true, false].flatMap((kind) => words.filter((word) => word.isCovering === kind).slice(0, maxWords))
  if (asked.length === 0) return Promise.resolve([])
  const { chunks } = stats
  const averageWords = Math.max(1, stats.words / Math.max(1, chunks))
  const search = { words: asked, chunks, averageWords, limit }
  return chunks <= smallScope ? scoreSmallScopeUnscoped(db, scope, search) : searchLarge(db, scope, search)
}

interface LanguageSearch {
  words: readonly Word[]
  chunks: number
  averageWords: number
  limit: number
}

/**
 * Rare words decide, and few chunks hold them. So only the chunks with the rarest words are scored first; once the last
 * of the best scores more than the other words could add up to, no other chunk can be among the best.
 */
const searchLarge = (db: Db, scope: Scope, { words: asked, chunks, averageWords, limit }: LanguageSearch) =>
  db.transaction().execute(async (tx) => {
    await preferIndexUnscoped(tx)
    const lexemes = asked.map(({ lexeme }) => lexeme)
    const all = weigh(asked, await countChunks(tx, scope, { lexemes, total: chunks }), chunks)
    const words = all.filter((word) => word.chunks > 0)
    if (words.length === 0) return []
    const totalWeight = all.reduce((sum, { weight, isCovering }) => sum + (isCovering ? weight : 0), 0)
    const score = (among: readonly WeighedWord[]) =>
      scoreChunksUnscoped(tx, scope, { words, among, totalWeight, averageWords, limit })
    const first = rarest(words, limit)
    const hits = await score(first)
    const needed = neededFor(words, hits.length < limit ? 0 : (hits.at(-1)?.score ?? 0))
    return needed.length > first.length ? score(needed) : hits
  })

/** Words of more chunks are counted in a sample: what is frequent weighs little, and need not be exact. */
const exactUpTo = 2000
const sampleSize = 1000

/** In how many chunks of the scope each word occurs. */
const countChunks = async (
  tx: Db,
  scope: Scope,
  { lexemes, total }: { lexemes: readonly string[]; total: number },
): Promise<number[]> => {
  const counts = await countMatchesUnscoped(tx, scope, { lexemes, most: exactUpTo })
  const frequent = lexemes.filter((_, index) => counts[index] === exactUpTo)
  if (frequent.length === 0) return counts
  const stride = Math.max(1, Math.floor(total / sampleSize))
  const parts = await sampleMatchesUnscoped(tx, scope, { lexemes: frequent, stride })
  return lexemes.map((lexeme, index) => {
    const part = parts[frequent.indexOf(lexeme)]
    return part === undefined ? (counts[index] ?? 0) : Math.max(exactUpTo, Math.round(part * total))
  })
}

interface CountedWord extends WeighedWord {
  chunks: number
}

/** Rarest first, as Lucene weighs them: never negative, also for a word that is in most chunks. */
const weigh = (words: readonly Word[], counts: readonly number[], total: number): CountedWord[] =>
  words
    .map((word, index) => {
      const chunks = counts[index] ?? 0
      return { ...word, chunks, weight: Math.log(1 + Math.max(0, total - chunks + 0.5) / (chunks + 0.5)) }
    })
    .toSorted((one, other) => one.chunks - other.chunks)

/** Enough of them to find as many chunks as are wanted several times. */
const rarest = (words: readonly CountedWord[], limit: number): CountedWord[] => {
  let chunks = 0
  return words.filter((word) => {
    const isNeeded = chunks < limit * 8
    chunks += word.chunks
    return isNeeded
  })
}

/** Those without which a chunk may still score more than `least`. */
const neededFor = (words: readonly CountedWord[], least: number): CountedWord[] => {
  let left = words.length
  for (let bound = 0; left > 0; left -= 1) {
    const word = words[left - 1]
    bound += word ? boundOf(word) : 0
    if (bound >= least) break
  }
  return words.slice(0, left)
}

/** A chunk is scored once for each language of the scope; the best counts. */
const best = (hits: readonly Hit[], limit: number): Hit[] => {
  const byId = new Map<number, Hit>()
  for (const hit of hits) if (hit.score > (byId.get(hit.id)?.score ?? -1)) byId.set(hit.id, hit)
  return [...byId.values()].toSorted((one, other) => other.score - one.score).slice(0, limit)
}
