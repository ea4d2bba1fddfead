/**
 * The first question after a start, to 100,000 and 500,000 chunks × 384: with the vectors from the tables, and from the
 * packs of the data folder, beside reading the same files with nothing else (≤ 4 times). Also prints the longest turn of
 * the event loop meanwhile, what a change of one file costs after a start, and what the packs take to write. A number as
 * the last argument is the most chunks.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../server/src/kernel/db/database.ts'
import { median } from '../lib/first-byte.ts'
import { insertCollection, openMemoryIndex, startKnowledgeDb } from '../lib/knowledge.ts'
import { chunksPerFile, engine, makeVector } from '../lib/made-chunks.ts'

const chunksAtOnce = 10 * chunksPerFile

/** Without texts: only vectors are searched here. */
const fill = async (db: Db, collectionId: string, count: number): Promise<void> => {
  const ids = Array.from({ length: count / chunksPerFile }, () => randomUUID())
  const vectors = Array.from({ length: count }, () => Buffer.from(makeVector().buffer).toString('hex'))
  await db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx)
    await sql`insert into files (id, owner_kind, owner_id, name, content_type, size, sha256, blob_key, state, created_at, updated_at)
      select id, 'user', id, 'bench.txt', 'text/plain', 1, '', id, 'completed', now(), now() from unnest(${ids}::uuid[]) as id`.execute(
      tx,
    )
    const { rows } = await sql<{ hash: string }>`
      insert into knowledge_chunks (file_id, position, text, word_count, text_hash, search)
      select (${ids}::uuid[])[1 + (n - 1) / ${sql.lit(chunksPerFile)}], (n - 1) % ${sql.lit(chunksPerFile)}, '', 1, sha256(concat(${ids[0]}::text, n)::bytea), ''
      from generate_series(1, ${count}::int) n returning encode(text_hash, 'hex') as hash`.execute(tx)
    await sql`insert into knowledge_documents (file_id, language, chunk_count, word_count, terms_version, indexed_at)
      select id, 'english', ${chunksPerFile}, ${chunksPerFile}, 2, now() from unnest(${ids}::uuid[]) as id`.execute(tx)
    await sql`insert into knowledge_vectors select ${engine}, decode(hash, 'hex'), decode(vector, 'hex')
      from unnest(${rows.map(({ hash }) => hash)}::text[], ${vectors}::text[]) as given (hash, vector)`.execute(tx)
    await sql`insert into knowledge_files (collection_id, file_id, added_at)
      select ${collectionId}, id, now() from unnest(${ids}::uuid[]) as id`.execute(tx)
  })
}

interface Cost {
  ms: number
  cpuMs: number
  longestMs: number
}

const measured = async (work: () => Promise<unknown>): Promise<Cost> => {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const [cpu, startedAt] = [process.cpuUsage(), performance.now()]
  await work()
  const ms = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpu)
  await sleep(5)
  delay.disable()
  return { ms, cpuMs: (user + system) / 1000, longestMs: delay.max / 1e6 }
}

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))

const sizeOf = async (folder: string): Promise<number> => {
  const stats = await Promise.all((await filesIn(folder)).map((path) => stat(path).catch(() => undefined)))
  return stats.reduce((sum, one) => sum + (one?.size ?? 0), 0)
}

/** Into memory that stays, like ours. */
const readBare = async (folder: string): Promise<unknown> => {
  const read: Uint8Array[] = []
  for (const path of await filesIn(folder)) {
    const file = await open(path)
    const bytes = new Uint8Array((await file.stat()).size)
    for (let at = 0; at < bytes.length; ) at += (await file.read(bytes, at, bytes.length - at, at)).bytesRead
    read.push(bytes)
    await file.close()
  }
  return read
}

const medianOf = (costs: readonly Cost[]): Cost => ({
  ms: median(costs.map(({ ms }) => ms)),
  cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
  longestMs: Math.max(...costs.map(({ longestMs }) => longestMs)),
})

const show = ({ ms, cpuMs, longestMs }: Cost): string =>
  `${ms.toFixed(0)} ms (processor time ${cpuMs.toFixed(0)} ms, longest turn ${longestMs.toFixed(0)} ms)`

const rounds = 5

const measure = async (db: Db, collectionId: string, count: number): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'chancery-bench-vectors-'))
  const scope = { collectionIds: [collectionId], fileIds: [] }
  const ask = (index = openMemoryIndex(folder)) => index.search(db, scope, { engine, vector: makeVector(), limit: 60 })
  try {
    const tables = await measured(() => ask())
    const writing = await measured(async () => {
      for (let before = -1; before !== (await sizeOf(folder)) || before === 0; await sleep(500))
        before = await sizeOf(folder)
    })
    const [packs, bare]: [Cost[], Cost[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await measured(() => readBare(folder)))
      packs.push(await measured(() => ask()))
    }
    const [ours, files] = [medianOf(packs), medianOf(bare)]
    await sql`update knowledge_documents set version = version + 1 where file_id = (select min(file_id::text)::uuid from knowledge_documents)`.execute(
      db,
    )
    const changed = await measured(() => ask())
    console.log(
      [
        `${count} chunks, ${((await sizeOf(folder)) / 1024 ** 2).toFixed(0)} MB in ${(await filesIn(folder)).length} packs`,
        `  from the tables  ${show(tables)}`,
        `  from the packs   ${show(ours)}: 1/${(tables.ms / ours.ms).toFixed(0)} of the tables, ${(ours.ms / files.ms).toFixed(2)} times reading the files alone (limit 4)`,
        `  one file changed ${show(changed)}`,
        `  writing them     processor time ${writing.cpuMs.toFixed(0)} ms, longest turn ${writing.longestMs.toFixed(0)} ms`,
      ].join('\n'),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

const sizes = [100_000, 500_000]

export const run = async (): Promise<void> => {
  const { db, stop } = await startKnowledgeDb()
  const most = Number(process.argv.at(-1)) || Math.max(...sizes)
  try {
    const collectionId = await insertCollection(db)
    let count = 0
    for (const size of sizes.filter((one) => one <= most)) {
      for (; count < size; count += chunksAtOnce) await fill(db, collectionId, chunksAtOnce)
      await sql`vacuum analyze knowledge_chunks, knowledge_vectors, knowledge_documents, knowledge_files`.execute(db)
      await measure(db, collectionId, size)
    }
  } finally {
    await stop()
  }
}
