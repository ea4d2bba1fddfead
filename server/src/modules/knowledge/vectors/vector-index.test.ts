/** Both ways to search vectors must return the same, so they share their cases; then what only pgvector has to keep. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDb, createPool, type Db, type Pool } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { createLog } from '#kernel/log.ts'
import { TemporaryLimit } from '#kernel/meter.ts'
import { createTestClock } from '#test/harness/clock.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { startPglite } from '#test/peers/pglite.ts'
import { indexText, storeIndex } from '../chunks/index-file.ts'
import { embedAll } from '../embeddings/embed-all.ts'
import { embedFile } from '../embeddings/embed-file.ts'
import { type EmbedOptions, normalised } from '../embeddings/engine.ts'
import { createServingEngine } from '../embeddings/serving-engine.ts'
import { insertVectorsUnscoped } from '../queries/vectors.ts'
import { createVectorCache } from './vector-cache.ts'
import { createVectorIndex, type VectorIndex } from './vector-index.ts'
import { joinSmall, removeFiles, type Slice, searchSlices, sliceRows } from './vector-slices.ts'

const { signal } = new AbortController()
const lines: string[] = []
const log = createLog('warn', { write: (line) => void lines.push(line) })
const clock = createTestClock()
const createNode = (maxBytes = 1_000_000) =>
  createVectorIndex({ clock, log, isAllowed: true, maxBytes, packs: { root: '', maxBytes: 0 } })

/** Texts are their own vectors: '3 4' is (0.6, 0.8). */
const vectorOf = (text: string) => normalised(text.split(' ').map(Number))
const engineOf = (id: string) => ({ id, batchSize: 2, embed: async (texts: readonly string[]) => texts.map(vectorOf) })

let db: Db
let node: VectorIndex
const queries: string[] = []
/** The files whose vectors were read into memory. */
const read: string[] = []

const open = (pool: Pool): Db =>
  createDb(pool, {
    onQuery: ({ sql: text, parameters }) => {
      queries.push(text)
      if (text.includes('c.position >=')) read.push(...(parameters[1] as string[]))
    },
  })
const openPglite = async () => {
  const pglite = await startPglite()
  const pool = createPool({ connectionString: pglite.url, max: 1 })
  db = open(pool)
  return async () => {
    await pool.end()
    await pglite.stop()
  }
}
const openEmbedded = async () => {
  const { openPool, drop } = await cloneDatabase()
  const pool = openPool(2)
  db = open(pool)
  return async () => {
    await pool.end()
    await drop()
  }
}

const addCollection = async (): Promise<string> => {
  const id = randomUUID()
  const at = clock.now()
  const owner = { ownerKind: 'user' as const, ownerId: randomUUID(), organizationId: null }
  const facts = { name: 'Notes', description: '', isRestricted: true, createdAt: at, updatedAt: at }
  await db
    .insertInto('knowledgeCollections')
    .values({ id, ...owner, ...facts })
    .execute()
  return id
}
const files = {
  listUnscoped: (on: Db, ids: readonly string[]) => on.selectFrom('files').selectAll().where('id', 'in', ids).execute(),
}
const embed = (fileId: string, engine = 'test/a', using = node, report?: () => Promise<void>) =>
  embedFile(
    { db, files, vectors: using, embeddings: { engine: () => engineOf(engine), embedQuestion: never } },
    { fileId, signal, ...(report ? { report } : {}) },
  )
const never = () => Promise.reject(new Error('Nobody asks a question.'))
const write = async (fileId: string, text: string): Promise<void> => {
  const indexed = indexText({ content: text, marks: [] }, { size: 200, overlap: 0 })
  await db.transaction().execute((tx) => storeIndex(tx, { fileId, indexed, at: clock.now() }))
}
const addFile = async (text: string, collectionIds: readonly string[] = []): Promise<string> => {
  const id = randomUUID()
  await sql`insert into files (id, owner_kind, owner_id, name, content_type, size, sha256, blob_key, state, created_at, updated_at)
    values (${id}, 'user', ${randomUUID()}, 'notes.txt', 'text/plain', 1, '', ${id}, 'completed', now(), now())`.execute(
    db,
  )
  await write(id, text)
  await embed(id)
  for (const collectionId of collectionIds)
    await sql`insert into knowledge_files (collection_id, file_id, added_at) values (${collectionId}, ${id}, now())`.execute(
      db,
    )
  return id
}

interface Asked {
  collectionIds?: string[]
  fileIds?: string[]
  limit?: number
  engine?: string
  of?: VectorIndex
}
const hits = ({ collectionIds = [], fileIds = [], limit = 10, engine = 'test/a', of = node }: Asked, text: string) =>
  of.search(db, { collectionIds, fileIds }, { engine, vector: vectorOf(text), limit })
/** The texts that are found, best first. */
const found = async (asked: Asked, text: string): Promise<string[]> => {
  const ids = (await hits(asked, text)).map(({ id }) => id)
  const rows = await db.selectFrom('knowledgeChunks').select(['id', 'text']).execute()
  return ids.map((id) => rows.find((row) => row.id === id)?.text ?? '')
}

describe.each([
  { kind: 'memory' as const, start: openEmbedded },
  { kind: 'pgvector' as const, start: openPglite },
])('vectors searched by $kind', ({ kind, start }) => {
  let stop: () => Promise<void>
  beforeAll(async () => {
    stop = await start()
    // PGlite makes its whole database first.
  }, 240_000)
  afterAll(() => stop())
  beforeEach(() => {
    node = createNode()
    queries.length = 0
  })
  const usedPgvector = () => queries.splice(0).some((text) => text.includes('inner_product'))

  it('come nearest first, from the collections and files of the scope only, each once', async () => {
    const [one, two] = [await addCollection(), await addCollection()]
    await addFile('1 0 0', [one, two])
    await addFile('1 1 0', [two])
    const alone = await addFile('0 1 0')
    await addFile('0 0 1')
    expect(await found({ collectionIds: [one] }, '1 0 0')).toEqual(['1 0 0'])
    expect(await found({ collectionIds: [two, one] }, '1 0 0')).toEqual(['1 0 0', '1 1 0'])
    const scope = { collectionIds: [one, two], fileIds: [alone] }
    expect(await found(scope, '1 3 0')).toEqual(['0 1 0', '1 1 0', '1 0 0'])
    const scores = (await hits(scope, '1 0 0')).map(({ score }) => score)
    for (const [index, expected] of [1, Math.SQRT1_2, 0].entries()) expect(scores[index]).toBeCloseTo(expected, 5)
    expect(await hits({}, '1 0 0')).toEqual([])
    expect(usedPgvector()).toBe(kind === 'pgvector')
    expect(await node.kind(db)).toBe(kind)
  })

  it('come no more than asked for, and equal ones in the order of their ids', async () => {
    const id = await addCollection()
    for (let n = 0; n < 4; n += 1) await addFile('2 1 0', [id])
    await addFile('0 1 0', [id])
    const ids = (await hits({ collectionIds: [id], limit: 4 }, '1 0 0')).map((hit) => hit.id)
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    expect(await found({ collectionIds: [id], limit: 4 }, '1 0 0')).toEqual(Array(4).fill('2 1 0'))
  })

  it('are compared with those of the same engine only, and only with those of the same length', async () => {
    const id = await addCollection()
    const file = await addFile('1 0 0', [id])
    await addFile('4 3', [id])
    expect(await found({ collectionIds: [id] }, '1 0 0')).toEqual(['1 0 0'])
    expect(await found({ collectionIds: [id] }, '1 0')).toEqual(['4 3'])
    expect(await hits({ collectionIds: [id], engine: 'test/b' }, '1 0 0')).toEqual([])
    await embed(file, 'test/b')
    expect(await found({ collectionIds: [id], engine: 'test/b' }, '1 0 0')).toEqual(['1 0 0'])
  })

  it('are the same on every node after a change, and after a start from the tables', async () => {
    const id = await addCollection()
    const [other, asked] = [createNode(), { collectionIds: [id] }]
    const file = await addFile('1 0 0', [id])
    const all = async () => [await found(asked, '1 0 0'), await found({ ...asked, of: other }, '1 0 0')]
    expect(await all()).toEqual([['1 0 0'], ['1 0 0']])
    await write(file, '1 2 0')
    await embed(file, 'test/a', other)
    await addFile('2 1 0', [id])
    expect(await all()).toEqual(Array(2).fill(['2 1 0', '1 2 0']))
    await db.deleteFrom('knowledgeFiles').where('fileId', '=', file).execute()
    expect(await all()).toEqual([['2 1 0'], ['2 1 0']])
    await sql`delete from files where id = ${file}`.execute(db)
    expect(await found({ ...asked, fileIds: [file], of: createNode() }, '1 0 0')).toEqual(['2 1 0'])
  })

  it('are seen by every node as soon as the last of a file is stored, before they are copied', async () => {
    const id = await addCollection()
    const [other, file] = [createNode(), await addFile('1 0 0', [id])]
    await write(file, '3 1 0')
    const ask = () => found({ collectionIds: [id], of: other }, '1 0 0')
    expect(await ask()).toEqual([])
    const seen: string[][] = []
    await embed(file, 'test/a', node, async () => void seen.push(await ask()))
    expect(seen).toEqual([['3 1 0']])
  })

  it('of a text that two files hold are seen in both, by every node, when one of them is embedded', async () => {
    const id = await addCollection()
    const text = '1 5 0'
    const one = await addFile(text)
    await addFile(text, [id])
    const asked = { collectionIds: [id], engine: 'test/shared', of: createNode() }
    expect(await found(asked, text)).toEqual([])
    await embed(one, 'test/shared')
    expect(await found(asked, text)).toEqual([text])
  })

  it('that came with another file while a file was indexed are seen once it is embedded', async () => {
    const id = await addCollection()
    const text = '1 7 0'
    const late = await addFile('1 6 0', [id])
    const asked = { collectionIds: [id], of: createNode() }
    await write(late, text)
    expect(await found(asked, text)).toEqual([])
    // The other file's transaction didn't see this one's chunks yet.
    const { textHash } = await db
      .selectFrom('knowledgeChunks')
      .select('textHash')
      .where('fileId', '=', late)
      .executeTakeFirstOrThrow()
    await insertVectorsUnscoped(db, 'test/a', [{ textHash, vector: vectorOf(text) }])
    await embed(late)
    expect(await found(asked, text)).toEqual([text])
  })

  if (kind === 'memory') {
    it('are read once, also by questions at the same time, and then of files that have changed only', async () => {
      const id = await addCollection()
      const [one, two, three] = [
        await addFile('1 0 0', [id]),
        await addFile('0 1 0', [id]),
        await addFile('0 0 1', [id]),
      ]
      const ask = () => found({ collectionIds: [id] }, '3 2 1')
      read.length = 0
      await Promise.all([ask(), ask(), ask()])
      expect(read.splice(0).toSorted()).toEqual([one, two, three].toSorted())
      await write(two, '0 2 1')
      await embed(two)
      await db.deleteFrom('knowledgeFiles').where('fileId', '=', one).execute()
      read.length = 0
      expect(await ask()).toEqual(['0 2 1', '0 0 1'])
      expect(await ask()).toEqual(['0 2 1', '0 0 1'])
      expect(read).toEqual([two])
    })

    it('are stored batch by batch: after a failure, only those that are missing are made', async () => {
      const fileId = await addFile('7 7 7')
      const marks = [1, 2, 3].map((page) => ({ at: (page - 1) * 6, page }))
      const indexed = indexText({ content: '7 0 0\n0 7 0\n0 0 7', marks }, { size: 200, overlap: 0 })
      await db.transaction().execute((tx) => storeIndex(tx, { fileId, indexed, at: clock.now() }))
      const asked: string[] = []
      const embedOnce = async (texts: readonly string[]) => {
        asked.push(...texts)
        if (asked.length === 3) throw new Error('gone')
        return texts.map(vectorOf)
      }
      const engine = { ...engineOf('test/a'), embed: embedOnce }
      const context = { db, files, vectors: node, embeddings: { engine: () => engine, embedQuestion: never } }
      await expect(embedFile(context, { fileId, signal })).rejects.toThrow('gone')
      expect(await found({ fileIds: [fileId] }, '3 2 1')).toEqual(['7 0 0', '0 7 0'])
      await embedFile(context, { fileId, signal })
      expect(asked).toEqual(['7 0 0', '0 7 0', '0 0 7', '0 0 7'])
      expect(await found({ fileIds: [fileId] }, '3 2 1')).toEqual(['7 0 0', '0 7 0', '0 0 7'])
    })

    it('are made for everybody else while the budget of one owner is spent, and then serve', async () => {
      const fileIds = [await addFile('1 8 0'), await addFile('2 8 0'), await addFile('1 9 0')]
      const spender = randomUUID()
      await db.updateTable('files').set({ ownerId: spender }).where('id', 'in', fileIds.slice(0, 2)).execute()
      let asked = 0
      const embedPaid = async (texts: readonly string[], { payer }: EmbedOptions) => {
        asked += payer.id === spender ? 1 : 0
        if (payer.id === spender && asked < 3) throw new AppError('usage_limit_reached')
        return texts.map(vectorOf)
      }
      const paid = { ...engineOf('test/paid'), embed: embedPaid }
      const context = { db, files, log, vectors: node, embeddings: { engine: () => paid, embedQuestion: never } }
      const serving = createServingEngine({ clock, settings: { onChange: () => {} } })
      expect(await serving(db, 'test/paid')).toBe('test/a')
      await embedAll(context, signal)
      expect(asked).toBe(1)
      expect(await found({ fileIds, engine: 'test/paid' }, '1 9 0')).toEqual(['1 9 0'])
      clock.forward({ minutes: 1 })
      expect(await serving(db, 'test/paid')).toBe('test/paid')
      // One more attempt with a spent budget, then with a new one.
      for (let n = 0; n < 2; n += 1) await embedAll(context, signal)
      expect(await found({ fileIds, engine: 'test/paid' }, '1 9 0')).toHaveLength(3)
    })

    it('serve everybody though one owner without a budget has more files than all others together', async () => {
      const all = await db.selectFrom('knowledgeDocuments').select('fileId').execute()
      const hoard = [await addFile('3 1 7')]
      while (hoard.length <= all.length) hoard.push(await addFile(`3 ${hoard.length} 7`))
      const hoarder = randomUUID()
      await db.updateTable('files').set({ ownerId: hoarder }).where('id', 'in', hoard).execute()
      const embedFor = async (texts: readonly string[], { payer }: EmbedOptions) => {
        if (payer.id === hoarder) throw new AppError('usage_limit_reached')
        return texts.map(vectorOf)
      }
      const next = { ...engineOf('test/next'), embed: embedFor }
      await embedAll(
        { db, files, log, vectors: node, embeddings: { engine: () => next, embedQuestion: never } },
        signal,
      )
      const serving = createServingEngine({ clock, settings: { onChange: () => {} } })
      expect(await serving(db, 'test/next')).toBe('test/next')
      await db.deleteFrom('files').where('id', 'in', hoard).execute()
      await sql`delete from knowledge_vectors where engine = 'test/next'`.execute(db)
    })

    it('are made once other calls of the owner leave room in their budget', async () => {
      const fileId = await addFile('6 1 0')
      let asked = 0
      const embedBeside = async (texts: readonly string[]) => {
        asked += 1
        if (asked < 3) throw new TemporaryLimit({ detail: 'Calls are running.', retryAfterSec: 10 })
        return texts.map(vectorOf)
      }
      const engine = { ...engineOf('test/beside'), embed: embedBeside }
      const context = { db, files, vectors: node, embeddings: { engine: () => engine, embedQuestion: never } }
      expect(await embedFile(context, { fileId, signal })).toBe('whole')
      expect(await found({ fileIds: [fileId], engine: 'test/beside' }, '6 1 0')).toEqual(['6 1 0'])
    })

    it('of the engine before serve while most files wait for a budget', async () => {
      await addFile('4 4 1')
      const embedUnpaid = () => Promise.reject(new AppError('usage_limit_reached'))
      const unpaid = { ...engineOf('test/unpaid'), embed: embedUnpaid }
      await embedAll(
        { db, files, log, vectors: node, embeddings: { engine: () => unpaid, embedQuestion: never } },
        signal,
      )
      const serving = createServingEngine({ clock, settings: { onChange: () => {} } })
      expect(await serving(db, 'test/unpaid')).toBe('test/a')
    })

    it('are read from the tables at each question when they are too many for the memory', async () => {
      const id = await addCollection()
      const file = await addFile('1 0 0', [id])
      const [small, asked] = [createNode(10), { collectionIds: [id] }]
      read.length = 0
      for (let n = 0; n < 2; n += 1) expect(await found({ ...asked, of: small }, '1 0 0')).toEqual(['1 0 0'])
      expect(read).toEqual([file, file])
    })
    return
  }

  it('are searched in memory until the job has copied all of them', async () => {
    const id = await addCollection()
    await addFile('1 0 0', [id])
    await addFile('0 1 0', [id])
    await sql`delete from knowledge_pgvectors where vector::text = '[1,0,0]'`.execute(db)
    const ask = () => found({ collectionIds: [id], of: createNode() }, '1 0 0')
    expect({ texts: await ask(), byPgvector: usedPgvector() }).toEqual({ texts: ['1 0 0', '0 1 0'], byPgvector: false })
    await node.copy(db, { signal })
    expect({ texts: await ask(), byPgvector: usedPgvector() }).toEqual({ texts: ['1 0 0', '0 1 0'], byPgvector: true })
    await sql`delete from knowledge_vectors`.execute(db)
    expect((await sql`select from knowledge_pgvectors`.execute(db)).rows).toEqual([])
  })

  it('are copied a few at a time when they are long, and all of them', async () => {
    await sql`insert into knowledge_vectors (engine, text_hash, vector)
      select 'test/long', int4send(n), decode(repeat('0000803f', 2500), 'hex') from generate_series(1, 105) n`.execute(
      db,
    )
    await node.copy(db, { signal })
    const { rows } = await sql`select from knowledge_pgvectors where engine = 'test/long'`.execute(db)
    expect(rows).toHaveLength(105)
    // Twenty of them are 50,000 numbers. The first 100 are read at once, then the last five.
    expect(queries.filter((text) => text.includes('insert into knowledge_pgvectors'))).toHaveLength(5 + 1)
    await sql`delete from knowledge_vectors where engine = 'test/long'`.execute(db)
  })

  it('are searched in memory while the extension is gone, and by pgvector again when it is back', async () => {
    const id = await addCollection()
    await addFile('1 0 0', [id])
    const ask = () => found({ collectionIds: [id] }, '1 0 0')
    expect(await ask()).toEqual(['1 0 0'])
    await sql`drop extension vector cascade`.execute(db)
    lines.length = 0
    await addFile('3 1 0', [id])
    expect(await ask()).toEqual(['1 0 0', '3 1 0'])
    expect({ kind: await node.kind(db), lines: lines.length }).toEqual({ kind: 'memory', lines: 1 })
    clock.forward({ minutes: 11 })
    usedPgvector()
    expect({ texts: await ask(), byPgvector: usedPgvector() }).toEqual({ texts: ['1 0 0', '3 1 0'], byPgvector: false })
    await node.copy(db, { signal })
    expect({ texts: await ask(), byPgvector: usedPgvector() }).toEqual({ texts: ['1 0 0', '3 1 0'], byPgvector: true })
  })

  it('are searched in memory where the extension may not be created, and the log says so once', async () => {
    const id = await addCollection()
    await addFile('1 0 0', [id])
    await sql`drop extension vector cascade`.execute(db)
    await sql`create role limited`.execute(db)
    await sql`grant select on all tables in schema public to limited`.execute(db)
    // The pool has one connection, so the role holds for what follows.
    await sql`set role limited`.execute(db)
    lines.length = 0
    const asked = { collectionIds: [id], of: createNode() }
    expect(await found(asked, '1 0 0')).toEqual(['1 0 0'])
    clock.forward({ minutes: 11 })
    expect(await found(asked, '1 0 0')).toEqual(['1 0 0'])
    expect(lines).toEqual([expect.stringContaining('permission denied')])
    await sql`reset role`.execute(db)
  })
})

describe('slices of vectors', () => {
  const sliceFor = (fileId: string, from: number, count: number): Slice => {
    const ids = Array.from({ length: count }, (_, index) => from + index)
    return { ids, fileIds: ids.map(() => fileId), data: Float32Array.from(ids.flatMap((id) => [id, -id])) }
  }
  const facts = (slices: readonly Slice[]) => slices.map(({ ids, data }) => ({ rows: ids.length, last: data.at(-2) }))

  it('lose the rows of files that are gone, and are joined when they have become small', async () => {
    const slices = [sliceFor('a', 0, 6000), sliceFor('b', 6000, 12_000), sliceFor('c', 18_000, 3000)]
    const joined = await joinSmall([...slices, sliceFor('d', 21_000, 2000), sliceFor('e', 23_000, 0)])
    expect(facts(joined)).toEqual([
      { rows: 12_000, last: 17_999 },
      { rows: 11_000, last: 22_999 },
    ])
    const left = [...joined]
    await removeFiles(left, new Set(['b', 'c']))
    expect(facts(joined)[0]).toEqual({ rows: 12_000, last: 17_999 })
    expect(left[0]?.ids).toEqual([])
    expect(facts(await joinSmall(left))).toEqual([{ rows: 8000, last: 22_999 }])
    const search = { engine: '', vector: Float32Array.of(1, 0), limit: 2 }
    expect((await searchSlices(left.slice(1), search)).map(({ id }) => id)).toEqual([22_999, 22_998])
  })

  it('let other work run while a change rewrites many of them', async () => {
    const slices = Array.from({ length: 5 }, (_, n) => sliceFor('a', n * 12_000, 12_000))
    let turns = 0
    const count = () => {
      turns += 1
      if (turns < 5) setImmediate(count)
    }
    setImmediate(count)
    await removeFiles(slices, new Set(['a']))
    expect(turns).toBeGreaterThanOrEqual(4)
    expect(facts(slices).every(({ rows }) => rows === 0)).toBe(true)
  })

  it('hold fewer rows the longer the vectors are', () => {
    expect([2, 384, 1536, 100_000_000].map(sliceRows)).toEqual([20_000, 20_000, 5000, 1])
  })
})

describe('the copies of vectors in memory', () => {
  it('take no more than the limit while they are read: large scopes one after another, small ones beside them', async () => {
    const cache = createVectorCache<{ version: string; bytes: number }>({ maxBytes: 1000 })
    const begun: string[] = []
    const load = (key: string, bytes: number) => {
      const done = Promise.withResolvers<{ version: string; bytes: number }>()
      const read = () => {
        begun.push(key)
        return done.promise
      }
      return {
        loaded: cache.load(key, bytes, { read }),
        end: () => done.resolve({ version: '1', bytes }),
        fail: done.reject,
      }
    }
    const held = () => ['a', 'b', 'c', 'small'].filter((key) => cache.find(key, '1'))
    const [a, b, small] = [load('a', 900), load('b', 800), load('small', 10)]
    expect(begun).toEqual(['a', 'small'])
    a.end()
    await a.loaded
    await expect.poll(() => begun).toEqual(['a', 'small', 'b'])
    // Room is made before the reading.
    expect(held()).toEqual([])
    small.end()
    await small.loaded
    expect(held()).toEqual(['small'])
    b.fail(new Error('gone'))
    await expect(b.loaded).rejects.toThrow('gone')
    const [again, c] = [load('b', 800), load('c', 190)]
    for (const one of [again, c]) one.end()
    await Promise.all([again.loaded, c.loaded])
    expect(held()).toEqual(['b', 'c', 'small'])
  })
})
