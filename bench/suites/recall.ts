/**
 * The quality of search: known-item questions over real prose of installed packages, asked in other words and as
 * headings. Prints MRR@10 of `ts_rank`, BM25, vectors and our fusion. Limit: fusion is at least as good as the better
 * of BM25 and vectors on each kind of question.
 */
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { createChildren } from '../../server/src/kernel/child/index.ts'
import type { Db } from '../../server/src/kernel/db/database.ts'
import { createLog } from '../../server/src/kernel/log.ts'
import { createMetrics } from '../../server/src/kernel/metrics/index.ts'
import type { Block } from '../../server/src/modules/files/extraction/blocks.ts'
import { emitMarkdown } from '../../server/src/modules/files/extraction/formats/text.ts'
import type { TextMark } from '../../server/src/modules/files/index.ts'
import { indexText, storeIndex } from '../../server/src/modules/knowledge/chunks/index-file.ts'
import { searchableText } from '../../server/src/modules/knowledge/chunks/searchable-text.ts'
import type { KnowledgeContext } from '../../server/src/modules/knowledge/context.ts'
import { embedFile } from '../../server/src/modules/knowledge/embeddings/embed-file.ts'
import type { Engine } from '../../server/src/modules/knowledge/embeddings/engine.ts'
import { createLocalEngine, isLocalInstalled } from '../../server/src/modules/knowledge/embeddings/local-engine.ts'
import { searchText } from '../../server/src/modules/knowledge/retrieval/full-text.ts'
import { fuse } from '../../server/src/modules/knowledge/retrieval/fuse.ts'
import type { Scope } from '../../server/src/modules/knowledge/scope.ts'
import { insertCollection, insertFile, openMemoryIndex, startKnowledgeDb } from '../lib/knowledge.ts'
import { paraphrases } from '../lib/recall-questions.ts'

const { signal } = new AbortController()
const candidates = 60
/** The local engine counts nothing. */
const payer = { kind: 'user', id: 'bench', organizationId: null } as const

interface Question {
  query: string
  file: string
  heading: string
}

const readMarkdown = async (path: string): Promise<{ content: string; marks: TextMark[] }> => {
  const parts: string[] = []
  const marks: TextMark[] = []
  let at = 0
  const add = async ({ text, heading = '' }: Block) => {
    if (text.trim() === '') return
    if (marks.at(-1)?.heading !== heading) marks.push({ at, heading })
    parts.push(text)
    at += text.length + 2
  }
  await emitMarkdown(readFileSync(new URL(`../../node_modules/${path}`, import.meta.url), 'utf8'), add)
  return { content: parts.join('\n\n'), marks }
}

interface Corpus {
  db: Db
  engine: Engine
  scope: Scope
  /** The chunks that answer, by file and last heading. */
  targets: Map<string, Set<number>>
}

const build = async (db: Db, engine: Engine): Promise<Corpus> => {
  const collectionId = await insertCollection(db)
  const targets: Corpus['targets'] = new Map()
  const files = { listUnscoped: async () => [{ ownerKind: 'user', ownerId: 'bench', organizationId: null }] }
  const vectors = { copy: async () => undefined }
  const context = { db, files, vectors, embeddings: { engine: () => engine } } as unknown as KnowledgeContext
  for (const path of new Set(paraphrases.map(({ file }) => file))) {
    const fileId = await insertFile(db, { name: path, collectionId })
    const indexed = indexText(await readMarkdown(path), { size: 1000, overlap: 100 })
    await db.transaction().execute((tx) => storeIndex(tx, { fileId, indexed, at: new Date() }))
    await embedFile(context, { fileId, signal })
    const rows = await db.selectFrom('knowledgeChunks').select(['id', 'heading']).where('fileId', '=', fileId).execute()
    for (const { id, heading } of rows) {
      const key = `${path} ${heading?.split(' > ').at(-1) ?? ''}`
      targets.set(key, (targets.get(key) ?? new Set()).add(id))
    }
  }
  return { db, engine, scope: { collectionIds: [collectionId], fileIds: [] }, targets }
}

const byTsRank = async ({ db }: Corpus, query: string): Promise<number[]> => {
  const words = searchableText(query).split(' ').join(' | ')
  const { rows } = await sql<{ id: number }>`
    select id from knowledge_chunks, to_tsquery('english', ${words}) as query where search @@ query
    order by ts_rank(search, query) desc limit 10`.execute(db)
  return rows.map(({ id }) => id)
}

/** The ranking of each way to search. */
const rank = async (corpus: Corpus, query: string, index: ReturnType<typeof openMemoryIndex>) => {
  const { db, engine, scope } = corpus
  const [vector = new Float32Array()] = await engine.embed([query], { payer, signal, isQuestion: true })
  const text = await searchText(db, scope, { query, limit: candidates })
  const vectors = await index.search(db, scope, { engine: engine.id, vector, limit: candidates })
  const ids = (hits: readonly { id: number }[]) => hits.slice(0, 10).map(({ id }) => id)
  return {
    ts_rank: await byTsRank(corpus, query),
    bm25: ids(text),
    vectors: ids(vectors),
    fusion: ids(fuse(text, vectors, 10)),
  }
}

const measure = async (corpus: Corpus, kind: string, questions: readonly Question[]): Promise<void> => {
  const index = openMemoryIndex()
  const sums = { ts_rank: 0, bm25: 0, vectors: 0, fusion: 0 }
  for (const { query, file, heading } of questions) {
    const answers = [...corpus.targets]
      .filter(([key]) => key.startsWith(file) && key.includes(heading))
      .map(([, ids]) => ids)
    if (answers.length === 0) throw new Error(`${file} has no heading ${heading}`)
    const rankings = await rank(corpus, query, index)
    for (const [name, ids] of Object.entries(rankings)) {
      const position = ids.findIndex((id) => answers.some((set) => set.has(id)))
      if (position >= 0) sums[name as keyof typeof sums] += 1 / (position + 1)
    }
  }
  const mrr = (name: keyof typeof sums) => (sums[name] / questions.length).toFixed(3)
  console.log(
    `${kind} (${questions.length})   ts_rank ${mrr('ts_rank')}   BM25 ${mrr('bm25')}   vectors ${mrr('vectors')}   fusion ${mrr('fusion')}`,
  )
  console.log(
    `  fusion against the better of the two: ${(sums.fusion / Math.max(sums.bm25, sums.vectors)).toFixed(3)} (limit 1)`,
  )
}

export const run = async (): Promise<void> => {
  if (!isLocalInstalled()) throw new Error('The local engine is not installed.')
  const log = createLog('error')
  const children = createChildren({ log, metrics: createMetrics(log) })
  const { db, stop } = await startKnowledgeDb()
  try {
    const corpus = await build(db, createLocalEngine(children))
    console.log(`${[...corpus.targets.values()].reduce((sum, ids) => sum + ids.size, 0)} passages`)
    await measure(corpus, 'in other words', paraphrases)
    const headings = paraphrases.map(({ file, heading }) => ({ file, heading, query: heading.replaceAll(/[`?]/g, '') }))
    await measure(corpus, 'as headings', headings)
  } finally {
    await children.stop()
    await stop()
  }
}
