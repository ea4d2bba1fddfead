/** Full-text search over a scope, in every language that its documents have. */
import type { Db } from '#kernel/db/database.ts'
import { searchableText } from '../chunks/searchable-text.ts'
import { type Hit, listLanguagesUnscoped, listLexemesUnscoped, searchChunksUnscoped } from '../queries/search.ts'
import type { Scope } from './scope.ts'

/** More words say little more about a question, and each costs time. */
const maxWords = 24

export const searchText = async (
  db: Db,
  scope: Scope,
  { query, limit }: { query: string; limit: number },
): Promise<Hit[]> => {
  const searchable = searchableText(query).slice(0, 4000)
  if (searchable === '') return []
  const languages = await listLanguagesUnscoped(db, scope)
  const found = await Promise.all(
    languages.map(async (stats) => {
      const lexemes = (await listLexemesUnscoped(db, stats.language, searchable)).slice(0, maxWords)
      return lexemes.length === 0 ? [] : searchChunksUnscoped(db, scope, { stats, lexemes, limit })
    }),
  )
  return best(found.flat(), limit)
}

/** A chunk is scored once for each language of the scope; the best counts. */
const best = (hits: readonly Hit[], limit: number): Hit[] => {
  const byId = new Map<number, Hit>()
  for (const hit of hits) if (hit.score > (byId.get(hit.id)?.score ?? -1)) byId.set(hit.id, hit)
  return [...byId.values()].toSorted((one, other) => other.score - one.score).slice(0, limit)
}
