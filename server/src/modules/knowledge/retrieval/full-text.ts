/** Full-text search over a scope, in every language that its documents have. */
import type { Db } from '#kernel/db/database.ts'
import { isTriple, searchableText } from '../chunks/searchable-text.ts'
import {
  boundOf,
  countMatchesUnscoped,
  type Hit,
  type LanguageStats,
  listLanguagesUnscoped,
  preferIndexUnscoped,
  sampleMatchesUnscoped,
  scoreChunksUnscoped,
  type WeighedWord,
} from '../queries/search.ts'
import type { Scope } from './scope.ts'

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

/**
 * Rare words decide, and few chunks hold them. So only the chunks with the rarest words are scored first; once the last
 * of the best scores more than the other words could add up to, no other chunk can be among the best.
 */
const searchLanguage = async (
  db: Db,
  scope: Scope,
  { stats, limit }: { stats: LanguageStats; limit: number },
): Promise<Hit[]> => {
  const isWord = (lexeme: string) => !isTriple(lexeme)
  const lexemes = [isWord, isTriple].flatMap((kind) => stats.lexemes.filter(kind).slice(0, maxWords))
  if (lexemes.length === 0) return []
  return db.transaction().execute(async (tx) => {
    await preferIndexUnscoped(tx)
    const all = weigh(lexemes, await countChunks(tx, scope, { lexemes, total: stats.chunks }), stats.chunks)
    const words = all.filter(({ chunks }) => chunks > 0)
    if (words.length === 0) return []
    const totalWeight = all.reduce((sum, { weight, isCovering }) => sum + (isCovering ? weight : 0), 0)
    const averageWords = Math.max(1, stats.words / Math.max(1, stats.chunks))
    const score = (among: readonly WeighedWord[]) =>
      scoreChunksUnscoped(tx, scope, { words, among, totalWeight, averageWords, limit })
    const first = rarest(words, limit)
    const hits = await score(first)
    const needed = neededFor(words, hits.length < limit ? 0 : (hits.at(-1)?.score ?? 0))
    return needed.length > first.length ? score(needed) : hits
  })
}

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
const weigh = (lexemes: readonly string[], counts: readonly number[], total: number): CountedWord[] =>
  lexemes
    .map((lexeme, index) => {
      const chunks = counts[index] ?? 0
      const weight = Math.log(1 + Math.max(0, total - chunks + 0.5) / (chunks + 0.5))
      return { lexeme, chunks, weight, isCovering: !isTriple(lexeme) }
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
