/** The tables this module owns. */
import type { Generated } from 'kysely'

export interface CollectionsTable {
  id: string
  name: string
  description: string
  ownerKind: 'user' | 'admin'
  ownerId: string
  organizationId: string | null
  isRestricted: boolean
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}

interface CollectionFilesTable {
  collectionId: string
  fileId: string
  path: string | null
  url: string | null
  /** Added by the sync of a folder, and by nothing before it. */
  isSynced: Generated<boolean>
  addedAt: Date
}

interface WaitingTable {
  collectionId: string
  fileId: string
  addedAt: Date
}

interface DocumentsTable {
  fileId: string
  language: string
  chunkCount: number
  wordCount: number
  isStale: Generated<boolean>
  /** The collection that asked for it to be indexed again. */
  staleFor: Generated<string | null>
  /** See `searchable-text.ts`. */
  termsVersion: Generated<number>
  /** The engine that lacks vectors of it because the owner's budget was spent. */
  unpaidEngine: Generated<string | null>
  version: Generated<number>
  indexedAt: Date
}

interface ChunksTable {
  id: Generated<number>
  fileId: string
  position: number
  text: string
  page: number | null
  heading: string | null
  wordCount: number
  textHash: Buffer
  search: string
}

interface VectorsTable {
  engine: string
  textHash: Buffer
  vector: Buffer
}

export interface CrawlsTable {
  id: string
  collectionId: string
  userId: string
  url: string
  maxDepth: number
  maxPages: number
  state: 'running' | 'completed' | 'failed' | 'cancelled'
  error: string | null
  createdAt: Date
  endedAt: Date | null
}

export interface CrawlPagesTable {
  crawlId: string
  url: string
  depth: number
  /** The order in which they were found. */
  position: Generated<number>
  state: Generated<'waiting' | 'added' | 'skipped' | 'failed'>
  reason: string | null
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    knowledgeCollections: CollectionsTable
    knowledgeFiles: CollectionFilesTable
    knowledgeWaiting: WaitingTable
    knowledgeDocuments: DocumentsTable
    knowledgeChunks: ChunksTable
    knowledgeVectors: VectorsTable
    knowledgeCrawls: CrawlsTable
    knowledgeCrawlPages: CrawlPagesTable
  }
}
