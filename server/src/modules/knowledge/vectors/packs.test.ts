/** The vectors of large collections, which are kept in the data folder: a cache that is never trusted. */
import { randomUUID } from 'node:crypto'
import { appendFile, copyFile, mkdir, mkdtemp, open, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDb, type Db } from '#kernel/db/database.ts'
import { createLog } from '#kernel/log.ts'
import { createTestClock } from '#test/harness/clock.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { indexText, storeIndex } from '../chunks/index-file.ts'
import { normalised } from '../embeddings/engine.ts'
import { countChangeUnscoped } from '../queries/chunks.ts'
import { insertVectorsUnscoped } from '../queries/vectors.ts'
import { createVectorIndex, type VectorIndex } from './vector-index.ts'

const clock = createTestClock()
const lines: string[] = []
const log = createLog('warn', { write: (line) => void lines.push(line) })

let db: Db
let stop: () => Promise<void>
let root: string
/** The files whose vectors were read from the tables. */
const read: string[] = []

beforeAll(async () => {
  const { openPool, drop } = await cloneDatabase()
  const pool = openPool(4)
  db = createDb(pool, {
    onQuery: ({ sql: text, parameters }) => {
      if (text.includes('c.position >=')) read.push(...(parameters[1] as string[]))
    },
  })
  stop = async () => {
    await pool.end()
    await drop()
  }
})
afterAll(() => stop())
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'chancery-vectors-'))
  read.length = 0
  lines.length = 0
  return () => rm(root, { recursive: true })
})

/** A server of this machine that has just started. */
const createNode = ({ maxBytes = 1_000_000, longRows = 1000 } = {}): VectorIndex =>
  createVectorIndex({
    clock,
    log,
    isAllowed: false,
    maxBytes: 1_000_000,
    packs: { root, maxBytes, leastRows: 1 },
    longRows,
  })

const engine = 'test/a'
/** Lines are their own vectors: '3 4' is (0.6, 0.8). */
const write = async (fileId: string, text: string): Promise<void> => {
  const marks = [...text.matchAll(/^/gm)].map(({ index }, page) => ({ at: index, page }))
  const indexed = indexText({ content: text, marks }, { size: 200, overlap: 0 })
  await db.transaction().execute(async (tx) => {
    await storeIndex(tx, { fileId, indexed, at: clock.now() })
    const vectorOf = (line: string) => normalised(line.split(' ').map(Number))
    await insertVectorsUnscoped(
      tx,
      engine,
      indexed.chunks.map((chunk) => ({ textHash: chunk.textHash, vector: vectorOf(chunk.text) })),
    )
    await countChangeUnscoped(tx, [fileId])
  })
}
const addFile = async (collectionId: string, text: string): Promise<string> => {
  const id = randomUUID()
  await sql`insert into files (id, owner_kind, owner_id, name, content_type, size, sha256, blob_key, state, created_at, updated_at)
    values (${id}, 'user', ${randomUUID()}, 'notes.txt', 'text/plain', 1, '', ${id}, 'completed', now(), now())`.execute(
    db,
  )
  await write(id, text)
  await sql`insert into knowledge_files (collection_id, file_id, added_at) values (${collectionId}, ${id}, now())`.execute(
    db,
  )
  return id
}
const addCollection = async (...texts: string[]): Promise<{ id: string; files: string[] }> => {
  const id = randomUUID()
  await sql`insert into knowledge_collections (id, name, description, owner_kind, owner_id, is_restricted, created_at, updated_at)
    values (${id}, 'Notes', '', 'user', ${randomUUID()}, true, now(), now())`.execute(db)
  const files: string[] = []
  for (const text of texts) files.push(await addFile(id, text))
  return { id, files }
}

const ask = (id: string, node = createNode(), meanwhile?: () => Promise<number[]>) =>
  node.search(
    db,
    { collectionIds: [id], fileIds: [] },
    { engine, vector: normalised([3, 2, 1]), limit: 10, ...(meanwhile && { meanwhile }) },
  )
const askTables = (id: string) => ask(id, createNode({ maxBytes: 0 }))
const packsOf = async (id: string): Promise<string[]> =>
  (await readdir(root, { recursive: true }))
    .filter((name) => name.startsWith(id) && name.endsWith('.pack'))
    .map((name) => join(root, name))
/** Asks, and waits until the vectors are in the data folder. */
const keep = async (id: string): Promise<string[]> => {
  await ask(id)
  await expect.poll(() => packsOf(id)).not.toEqual([])
  read.length = 0
  return packsOf(id)
}

describe('vectors in the data folder', () => {
  it('answer the first question after a start like the tables, which are not read', async () => {
    const { id } = await addCollection('1 0 0\n0 1 0', '0 0 1\n1 1 1')
    const before = await askTables(id)
    expect(before).toHaveLength(4)
    await keep(id)
    expect(await ask(id)).toEqual(before)
    expect(read).toEqual([])
  })

  it('are read from the tables where files were changed, added or removed while no server ran', async () => {
    const { id, files } = await addCollection('1 0 0\n0 1 0', '0 0 1', '2 1 0')
    const [kept = '', changed = '', removed = ''] = files
    await keep(id)
    await write(changed, '0 1 1')
    await sql`delete from knowledge_files where file_id = ${removed}`.execute(db)
    const added = await addFile(id, '5 4 3')
    const found = await ask(id)
    expect(read.toSorted()).toEqual([changed, added].toSorted())
    expect(found).toEqual(await askTables(id))
    expect(found).toHaveLength(4)
    // What is new was added to what is kept.
    await expect.poll(async () => (await packsOf(id)).length).toBe(2)
    read.length = 0
    expect(await ask(id)).toEqual(found)
    expect({ read, kept: files.indexOf(kept) }).toEqual({ read: [], kept: 0 })
  })

  it('are not taken from a restored database that counts the same versions again', async () => {
    const { id, files } = await addCollection('1 0 0')
    const [file = ''] = files
    await keep(id)
    const before = await db.selectFrom('knowledgeDocuments').select('version').where('fileId', '=', file).execute()
    await write(file, '0 1 0')
    await db
      .updateTable('knowledgeDocuments')
      .set({ version: before[0]?.version ?? 0 })
      .where('fileId', '=', file)
      .execute()
    expect((await ask(id))[0]?.score).toBeCloseTo(2 / Math.sqrt(14), 5)
    expect(read).toEqual([file])
  })

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['is cut in the middle', (path) => truncate(path, 300)],
    ['is empty', (path) => truncate(path, 0)],
    ['is longer than it should be', (path) => appendFile(path, 'more')],
    ['is something else', (path) => writeFile(path, 'x'.repeat(1000))],
    ['has another byte in its head', (path) => change(path, 40)],
    ['has another byte in its vectors', (path) => change(path, -3)],
  ])('are read from the tables and written again when the file %s', async (_name, spoil) => {
    const { id, files } = await addCollection('1 0 0\n0 1 0', '0 0 1')
    const before = await askTables(id)
    const packs = await keep(id)
    for (const path of packs) await spoil(path)
    expect(await ask(id)).toEqual(before)
    expect(read.toSorted()).toEqual(files.toSorted())
    await expect.poll(() => packsOf(id)).toEqual(packs)
    read.length = 0
    expect(await ask(id)).toEqual(before)
    expect({ read, lines }).toEqual({ read: [], lines: [] })
  })

  it('of another collection are deleted, not searched', async () => {
    const [one, other] = [await addCollection('1 0 0'), await addCollection('0 1 0')]
    const [from = ''] = await keep(one.id)
    const [to = ''] = await keep(other.id)
    const foreign = join(dirname(to), '0.pack')
    await copyFile(from, foreign)
    expect(await ask(other.id)).toHaveLength(1)
    expect(await packsOf(other.id)).toEqual([to])
  })

  it('are shared by two servers, also when both start and ask at once', async () => {
    const { id } = await addCollection('1 0 0\n0 1 0', '0 0 1')
    const [one, other] = [createNode(), createNode()]
    const [first, second] = await Promise.all([ask(id, one), ask(id, other)])
    expect(first).toEqual(second)
    expect(await keep(id)).toHaveLength(1)
    const added = await addFile(id, '7 1 1')
    expect(await ask(id, one)).toEqual(await ask(id, other))
    expect(new Set(read)).toEqual(new Set([added]))
    await expect.poll(async () => (await packsOf(id)).length).toBe(2)
    read.length = 0
    expect(await ask(id)).toHaveLength(4)
    expect(read).toEqual([])
  })

  it('are written together when many small changes left many files', async () => {
    const { id } = await addCollection('1 0 0')
    const node = createNode()
    await ask(id, node)
    for (let n = 1; n <= 9; n += 1) {
      await addFile(id, `1 ${n} 0`)
      await expect.poll(async () => (await packsOf(id)).length).toBe(n)
      await ask(id, node)
    }
    await expect.poll(async () => (await packsOf(id)).length).toBe(1)
    read.length = 0
    expect(await ask(id)).toEqual(await ask(id, node))
    expect(read).toEqual([])
  })

  it('take no more room than they may: the collection that was used least recently goes first', async () => {
    const [one, two, three] = [await addCollection('1 0 0'), await addCollection('0 1 0'), await addCollection('0 0 1')]
    const [first = ''] = await keep(one.id)
    const [second = ''] = await keep(two.id)
    await utimes(dirname(first), 2, 2)
    await utimes(dirname(second), 1, 1)
    await ask(three.id, createNode({ maxBytes: 400 }))
    await expect.poll(() => packsOf(three.id)).toHaveLength(1)
    expect([await packsOf(one.id), await packsOf(two.id)]).toEqual([[first], []])
    await ask(two.id, createNode({ maxBytes: 10 }))
    expect(await ask(two.id, createNode({ maxBytes: 10 }))).toHaveLength(1)
    expect([await packsOf(one.id), await packsOf(two.id)]).toEqual([[first], []])
  })

  it('of what was deleted are deleted by the sweep, with what a crash left', async () => {
    const [one, gone] = [await addCollection('1 0 0', '0 1 0'), await addCollection('0 0 1')]
    const [path = ''] = await keep(one.id)
    await keep(gone.id)
    await Promise.all(['old.new', 'young.new'].map((name) => writeFile(join(dirname(path), name), '')))
    await utimes(join(dirname(path), 'old.new'), 1, 1)
    await mkdir(join(root, 'lost+found'))
    await sql`delete from knowledge_collections where id = ${gone.id}`.execute(db)
    await sql`delete from files where id = ${one.files[0]}`.execute(db)
    await createNode().sweep(db)
    expect((await readdir(root)).toSorted()).toEqual([one.id, 'lost+found'].toSorted())
    const [left = '', ...others] = await packsOf(one.id)
    expect({ others, isNew: left !== path }).toEqual({ others: [], isNew: true })
    expect((await readdir(dirname(path))).filter((name) => name.endsWith('.new'))).toEqual(['young.new'])
    expect(await ask(one.id)).toHaveLength(1)
    expect(read).toEqual([])
  })

  it('that cannot be written are a warning, and the tables answer', async () => {
    const { id } = await addCollection('1 0 0')
    await writeFile(join(root, id), 'a file where a folder should be')
    expect(await ask(id)).toHaveLength(1)
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    expect(lines[0]).toContain('Vectors cannot be kept in the data folder')
  })
})

describe('a question whose vectors are not read yet', () => {
  it('is answered by the chunks that its words found, and by all vectors once they are read', async () => {
    const { id } = await addCollection('1 0 0\n0 1 0\n3 2 1')
    const all = await askTables(id)
    const node = createNode({ maxBytes: 0, longRows: 1 })
    const worst = all.at(-1)
    const meanwhile = async () => (worst ? [worst.id] : [])
    expect(await ask(id, node, meanwhile)).toEqual([worst])
    await expect.poll(() => ask(id, node, meanwhile)).toEqual(all)
  })
})

/** A negative position counts from the end. */
const change = async (path: string, position: number): Promise<void> => {
  await using file = await open(path, 'r+')
  const at = position < 0 ? (await file.stat()).size + position : position
  const byte = Buffer.alloc(1)
  await file.read(byte, 0, 1, at)
  byte[0] = (byte[0] ?? 0) ^ 1
  await file.write(byte, 0, 1, at)
}
