/** Knowledge collections and retrieval (contract, Knowledge collection; Files and knowledge). */
import { z } from 'zod'
import { FileRecord } from './files.ts'
import { AccessGrant, AccessGrants } from './grants.ts'
import { pageOf, paging } from './lists.ts'
import { line } from './text.ts'

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

export const CollectionListQuery = z.strictObject({ ...paging(30), search: z.string().max(200).optional() })

/** How many of the files are indexed again, while that goes on. */
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

/** With its files, the latest thousand. */
export const CollectionDetail = Collection.extend({ files: z.array(FileRecord) })

export const FileReferenceBody = z.strictObject({ file_id: z.uuid() })

/**
 * A folder as it should be. A file of the same path and hash stays; one with `file_id` is added or replaces the file at
 * its path; what isn't named is removed.
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
})

/** `missing` are the paths whose contents have to be uploaded first; while there are any, nothing is changed. */
export const SyncReply = z.object({
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  unchanged: z.int(),
  missing: z.array(z.string()),
})

export const QueryBody = z.strictObject({
  collection_names: z.array(z.string().min(1).max(300)).min(1).max(50),
  query: z.string().min(1).max(8000),
  k: z.int().min(1).max(100).default(5),
  hybrid: z.boolean().optional(),
})

const ChunkMetadata = z.object({
  file_id: z.uuid(),
  name: z.string(),
  source: z.string(),
  page: z.int().optional(),
  heading: z.string().optional(),
})

/** Parallel lists, one list per query. Distances are scores: higher is nearer. */
export const QueryReply = z.object({
  documents: z.array(z.array(z.string())),
  metadatas: z.array(z.array(ChunkMetadata)),
  distances: z.array(z.array(z.number())),
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

/** `GET /api/v1/retrieval/`: how search works on this instance. */
export const RetrievalFacts = z.object({
  status: z.literal(true),
  engine: z.string(),
  model: z.string(),
  /** False: only full-text search serves. */
  semantic: z.boolean(),
  chunk_size: z.int(),
  chunk_overlap: z.int(),
})
