/**
 * Passages from the files and collections of a completion about its question, numbered as the model should cite them.
 * Files that fit are given whole: nothing is missing then, and "summarise this" works.
 */
import type { Retriever } from '#modules/completions/index.ts'
import type { KnowledgeContext } from '../context.ts'
import { listChunksOfFilesUnscoped } from '../queries/chunks.ts'
import type { Scope } from '../scope.ts'
import { resolveReferences } from './resolve-scope.ts'
import { joinNeighbours, type Passage, retrieve } from './retrieve.ts'

const passages = 8
/** Characters per token, as a cautious rule. */
const charactersPerToken = 3.5
const usualContextTokens = 8192
const maxWholeChunks = 2000

export const createRetriever = (context: KnowledgeContext): Retriever => ({
  retrieve: async ({ actor, files, query, contextTokens = usualContextTokens, signal }) => {
    const scope = await resolveReferences(context, actor, files)
    if (scope.collectionIds.length + scope.fileIds.length === 0) return { sources: [], context: '' }
    const whole = await readWhole(context, scope, (contextTokens / 2) * charactersPerToken)
    const found = whole ?? (await retrieve(context, scope, { query, k: passages, payer: actor, signal }))
    return { sources: found.map(sourceOf), context: found.map(numbered).join('\n\n') }
  },
})

/** Undefined where the files don't fit, or a collection is asked. */
const readWhole = async (
  context: KnowledgeContext,
  { collectionIds, fileIds }: Scope,
  room: number,
): Promise<Passage[] | undefined> => {
  const { db, files } = context
  if (collectionIds.length > 0 || fileIds.length === 0) return undefined
  if ((await files.countTextUnscoped(db, fileIds)) > room) return undefined
  const [chunks, rows] = await Promise.all([
    listChunksOfFilesUnscoped(db, fileIds, maxWholeChunks),
    files.listUnscoped(db, fileIds),
  ])
  const names = new Map(rows.map((file) => [file.id, file.name]))
  const ordered = joinNeighbours(chunks.map((chunk) => ({ ...chunk, score: 1, reason: {} })))
  return ordered.map(({ fileId, text, page, heading, score, reason }) => ({
    fileId,
    text,
    page,
    heading,
    score,
    reason,
    name: names.get(fileId) ?? '',
    url: undefined,
  }))
}

const numbered = ({ name, page, heading, text }: Passage, index: number): string =>
  `[${index + 1}] ${[name, page === null ? '' : `page ${page}`, heading ?? ''].filter(Boolean).join(', ')}\n${text}`

/** The contract's source object (gaps, Gateway): parallel lists. */
export const sourceOf = ({ fileId, name, url, page, heading, text, score }: Passage) => ({
  source: { id: fileId, name, type: 'file', ...(url === undefined ? {} : { url }) },
  document: [text],
  metadata: [metadataOf({ fileId, name, url, page, heading })],
  distances: [score],
})

export const metadataOf = ({
  fileId,
  name,
  url,
  page,
  heading,
}: Pick<Passage, 'fileId' | 'name' | 'url' | 'page' | 'heading'>) => ({
  file_id: fileId,
  name,
  source: url ?? name,
  ...(page === null ? {} : { page }),
  ...(heading === null ? {} : { heading }),
})
