/**
 * Search by vector. pgvector answers where the database has it and holds every vector of the scope; otherwise each node
 * searches its own copy in memory. Both are exact and return the same.
 */
import type { Db } from '#kernel/db/database.ts'
import { listDocumentVersionsUnscoped } from '../queries/vectors.ts'
import type { Scope } from '../scope.ts'
import { createMemoryIndex } from './memory-index.ts'
import { createPacks, type PackOptions } from './packs.ts'
import { createPgvectorIndex, type PgvectorDeps } from './pgvector-index.ts'
import type { VectorHit, VectorSearch } from './vector-slices.ts'

export interface VectorIndex {
  search(db: Db, scope: Scope, search: VectorSearch): Promise<VectorHit[]>
  /** Copies stored vectors to where pgvector searches them: those of one file, or all that are missing there. */
  copy(db: Db, options: { fileId?: string; signal: AbortSignal }): Promise<void>
  kind(db: Db): Promise<'memory' | 'pgvector'>
  /** Deletes from the data folder what the database no longer has. */
  sweep(db: Db): Promise<void>
}

interface Deps extends PgvectorDeps {
  /** The most memory for the copies of a node. */
  maxBytes: number
  packs: PackOptions
  longRows?: number
}

export const createVectorIndex = (deps: Deps): VectorIndex => {
  const packs = createPacks(deps, deps.packs)
  const memory = createMemoryIndex({ ...deps, packs })
  const pgvector = createPgvectorIndex(deps)
  return {
    search: async (db, scope, search) => (await pgvector.search(db, scope, search)) ?? memory.search(db, scope, search),
    copy: pgvector.copy,
    kind: async (db) => ((await pgvector.isReady(db)) ? 'pgvector' : 'memory'),
    sweep: (db) => packs.sweep((id) => listDocumentVersionsUnscoped(db, { collectionIds: [id], fileIds: [] })),
  }
}
