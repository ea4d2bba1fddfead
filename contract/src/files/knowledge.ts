/** Knowledge collections and retrieval (contract, Knowledge collection; Files and knowledge). */
import { z } from 'zod'
import { AccessGrant, AccessGrants } from '../grants.ts'
import { pageOf, paging, sortBy } from '../lists.ts'
import { line } from '../text.ts'
import { FileMetadata, FileRecord, Progress } from './files.ts'

const Description = z.string().max(10_000)

export const CollectionBody = z.strictObject({
  name: line(200),
  description: Description.default(''),
  access_grants: AccessGrants.optional(),
})

export const CollectionPatch = z.strictObject({
  name: line(200).optional(),
  description: Description.optional(),
  access_grants: AccessGrants.optional(),
})

export const CollectionListQuery = z.strictObject({
  ...paging(30),
  search: z.string().max(200).optional(),
  /** Only those that are being indexed again. */
  status: z.literal('processing').optional(),
  sort: sortBy('name', 'updated'),
})
export type CollectionListQuery = z.infer<typeof CollectionListQuery>

/** Files that are indexed again, while that goes on. */
const Reindexing = z.object({ done: z.int(), total: z.int() })

export const Collection = z.object({
  id: z.uuid(),
  type: z.literal('collection'),
  status: z.enum(['processed', 'processing', 'error']),
  user_id: z.uuid(),
  name: z.string(),
  description: z.string(),
  /** Null: open to every signed-in user. Only those who may change the collection see the list. */
  access_grants: z.array(AccessGrant).nullable().optional(),
  write_access: z.boolean(),
  file_count: z.int(),
  reindexing: Reindexing.optional(),
  created_at: z.int(),
  updated_at: z.int(),
})
export type Collection = z.infer<typeof Collection>

export const CollectionList = pageOf(Collection)

const WaitingFile = FileRecord.extend({ progress: Progress.optional() })
export type WaitingFile = z.infer<typeof WaitingFile>

/** `path`: in the folder from which it was synced. */
const CollectionFile = FileRecord.extend({ path: z.string().optional() })
export type CollectionFile = z.infer<typeof CollectionFile>

/** With its files, the latest thousand. */
export const CollectionDetail = Collection.extend({
  files: z.array(CollectionFile),
  /** Files that join once they are processed, and those that failed; only for those who may change the collection. */
  waiting: z.array(WaitingFile).optional(),
})
export type CollectionDetail = z.infer<typeof CollectionDetail>

export const FileAddQuery = z.strictObject({ when_processed: z.stringbool().default(false) })

export const FileReferenceBody = z.strictObject({ file_id: z.uuid() })

/**
 * A folder as it should be. A file of the same path and hash stays; one with `file_id` is added or replaces the file at
 * its path; what isn't named is removed. A removed or replaced file is deleted if a sync of the caller's added it and no
 * other collection holds it.
 */
export const SyncBody = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: z.string().min(1).max(1000),
        hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 hash in lower-case hexadecimal'),
        file_id: z.uuid().optional(),
      }),
    )
    .max(10_000),
  /** True changes nothing and tells what would be changed. */
  preview: z.boolean().optional(),
  /** `plan.removed` of a preview. If another path would be removed by now, nothing is changed (409 `collection_changed`). */
  expected_removals: z.array(z.string().max(1000)).max(10_000).optional(),
  /** `plan.changed` of a preview. If anything else would be replaced by now, nothing is changed (409 `collection_changed`). */
  expected_changes: z
    .array(z.strictObject({ path: z.string().max(1000), hash: z.string().max(64) }))
    .max(10_000)
    .optional(),
})

/** `missing` are the paths whose contents have to be uploaded first; while there are any, nothing is changed. */
export const SyncReply = z.object({
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  unchanged: z.int(),
  missing: z.array(z.string()),
  /** Changed and removed files that are deleted. The others stay with their owners. */
  deleted: z.int(),
  /** With `preview`: what would be done, path by path. */
  plan: z
    .object({
      added: z.array(z.string()),
      /** `hash`: of what the collection holds under this path now. */
      changed: z.array(z.object({ path: z.string(), hash: z.string() })),
      removed: z.array(z.string()),
    })
    .optional(),
})
export type SyncReply = z.infer<typeof SyncReply>

/** Which files are searched: those that fit everything that is given. */
export const FileFilter = z.strictObject({
  file_ids: z.array(z.uuid()).min(1).max(1000).optional(),
  /** A part of the name, in upper or lower case. */
  name: z.string().min(1).max(200).optional(),
  /** The beginning of the type, such as `application/pdf` or `text/`. */
  content_type: z.string().min(1).max(100).optional(),
  /** The beginning of a web page's address. */
  source: z.string().min(1).max(2000).optional(),
  /** When the file was uploaded or fetched, in Unix seconds; both ends are included. */
  created_after: z.int().optional(),
  created_before: z.int().optional(),
  /** Each entry must be the same in the metadata of the upload. */
  metadata: FileMetadata.optional(),
})
export type FileFilter = z.infer<typeof FileFilter>

export const QueryBody = z.strictObject({
  collection_names: z.array(z.string().min(1).max(300)).min(1).max(50),
  query: z.string().min(1).max(8000),
  k: z.int().min(1).max(100).default(5),
  hybrid: z.boolean().optional(),
  /** False leaves the order as search found it, also where a model reranks. */
  rerank: z.boolean().optional(),
  /** Passages of less relevance are left out, from 0 to 1: the reranker's score, or else similarity and coverage. */
  threshold: z.number().min(0).max(1).optional(),
  filter: FileFilter.optional(),
  /** True adds `reasons` to the reply. */
  explain: z.boolean().optional(),
})

const ChunkMetadata = z.object({
  file_id: z.uuid(),
  name: z.string(),
  source: z.string(),
  page: z.int().optional(),
  heading: z.string().optional(),
})

/** Why a passage was found. Ranks count from 1; a way that did not find it is left out. */
const Reason = z.object({
  /** `coverage`: the share of the question's weight that the passage's words hold. */
  words: z.object({ rank: z.int(), score: z.number(), coverage: z.number() }).optional(),
  meaning: z.object({ rank: z.int(), similarity: z.number() }).optional(),
  reranked: z.object({ score: z.number() }).optional(),
})
export type Reason = z.infer<typeof Reason>

/** Parallel lists, one list per query. Distances are scores: higher is nearer. */
export const QueryReply = z.object({
  documents: z.array(z.array(z.string())),
  metadatas: z.array(z.array(ChunkMetadata)),
  distances: z.array(z.array(z.number())),
  reasons: z.array(z.array(Reason)).optional(),
})
export type QueryReply = z.infer<typeof QueryReply>

export const ChunkListQuery = z.strictObject({ ...paging(50) })

/** The chunks of a file, as retrieval uses them. */
export const ChunkList = pageOf(
  z.object({ position: z.int(), text: z.string(), page: z.int().optional(), heading: z.string().optional() }),
).extend({
  /** Chunks that have a vector of the current engine. */
  embedded: z.int(),
})

export const WebQuery = z.strictObject({
  process: z.stringbool().default(true),
  overwrite: z.stringbool().default(true),
})

export const WebBody = z.strictObject({
  url: z.string().min(1).max(4000),
  collection_name: line(200).optional(),
})

export const WebReply = z.object({
  status: z.literal(true),
  collection_name: z.string().optional(),
  filename: z.string().optional(),
  content: z.string().optional(),
  file: z
    .object({
      id: z.uuid(),
      data: z.object({ content: z.string() }),
      meta: z.object({ name: z.string(), source: z.string(), content_type: z.string() }),
    })
    .optional(),
})
export type WebReply = z.infer<typeof WebReply>

export const CrawlBody = z.strictObject({
  url: z.string().min(1).max(2000),
  /** The most links between a page and the first. */
  depth: z.int().min(0).max(5).default(2),
  max_pages: z.int().min(1).max(500).default(50),
})
export type CrawlBody = z.infer<typeof CrawlBody>

const pageCount = z.int().min(0)

/** Pages of one site on their way into a collection. */
export const Crawl = z.object({
  id: z.uuid(),
  collection_id: z.uuid(),
  url: z.string(),
  depth: z.int(),
  max_pages: z.int(),
  state: z.enum(['running', 'completed', 'failed', 'cancelled']),
  error: z.string().optional(),
  pages: z.object({ waiting: pageCount, added: pageCount, skipped: pageCount, failed: pageCount }),
  /** The first pages that were not added. */
  problems: z.array(z.object({ url: z.string(), reason: z.string() })),
  created_at: z.int(),
  ended_at: z.int().nullable(),
})
export type Crawl = z.infer<typeof Crawl>

/** The latest ten, newest first. */
export const CrawlList = z.object({ items: z.array(Crawl) })

/** `GET /api/v1/retrieval/`: how search works on this instance. */
export const RetrievalFacts = z.object({
  status: z.literal(true),
  engine: z.string(),
  model: z.string(),
  /** False: only full-text search serves. */
  semantic: z.boolean(),
  /** Vectors are compared by the database's extension, or by each node in its own memory. */
  vector_index: z.enum(['memory', 'pgvector']),
  chunk_size: z.int(),
  chunk_overlap: z.int(),
})
