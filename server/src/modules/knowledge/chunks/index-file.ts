/** Cuts a file's text into chunks and stores them, replacing what was there. */
import { createHash } from 'node:crypto'
import type { Db } from '#kernel/db/database.ts'
import type { StoredText } from '#modules/files/index.ts'
import { type NewChunk, replaceDocumentUnscoped } from '../queries/chunks.ts'
import { type ChunkOptions, chunkText } from './chunk-text.ts'
import { detectLanguage } from './detect-language.ts'
import { searchableChunk, searchableText, termsVersion } from './searchable-text.ts'

export interface IndexedText {
  language: string
  chunks: NewChunk[]
}

export const indexText = ({ content, marks }: StoredText, options: ChunkOptions): IndexedText => ({
  language: detectLanguage(searchableText(content.slice(0, 60_000))),
  chunks: chunkText(content, marks, options).map(({ text, page, heading }) => ({
    text,
    page: page ?? null,
    heading: heading ?? null,
    ...searchableChunk(text, heading),
    textHash: hashOf(text, heading),
  })),
})

/** Hashes what is embedded: the text with its heading. */
const hashOf = (text: string, heading = ''): Buffer => createHash('sha256').update(`${heading}\n${text}`).digest()

export const storeIndex = (
  tx: Db,
  { fileId, indexed, at }: { fileId: string; indexed: IndexedText; at: Date },
): Promise<void> => replaceDocumentUnscoped(tx, { fileId, ...indexed, termsVersion, indexedAt: at })
