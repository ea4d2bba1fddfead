import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '#kernel/db/database.ts'
import { add, collectionOf, found, knowledgeApp, upload } from '#test/harness/knowledge.ts'
import { refreshTerms } from './refresh-terms.ts'

const { app, ana } = await knowledgeApp()

describe('a question', () => {
  it('ranks a word above its parts, also in files that an older version indexed by pairs of characters', async () => {
    const [apart, whole] = ['東京。京都。東京。京都。', 'これは東京都の天気についての長い話です。']
    const file = await upload(ana, whole)
    const id = await collectionOf(ana, apart)
    await add(ana, id, file)
    const ask = async () => (await found(ana, [id], '東京都')).slice(0, 2)
    expect(await ask()).toEqual([whole, apart])
    await sql`update knowledge_chunks set search = to_tsvector('simple', 'これ れは は東 東京 京都') where file_id = ${file}`.execute(
      app.db,
    )
    await sql`update knowledge_documents set terms_version = 1 where file_id = ${file}`.execute(app.db)
    expect(await ask()).toEqual([apart, whole])
    const lockUnscoped = async (tx: Db, ids: readonly string[]) =>
      (await tx.selectFrom('files').select('id').where('id', 'in', ids).forShare().execute()).map(
        ({ id: found }) => found,
      )
    const files = { lockUnscoped }
    await refreshTerms({ db: app.db, files }, new AbortController().signal)
    expect(await ask()).toEqual([whole, apart])
    // A long document is read in parts.
    await sql`insert into knowledge_chunks (file_id, position, text, word_count, text_hash, search)
      select ${file}, n, '東京都', 2, '', '' from generate_series(1001, 1450) n`.execute(app.db)
    await sql`update knowledge_documents set terms_version = 1 where file_id = ${file}`.execute(app.db)
    await refreshTerms({ db: app.db, files }, new AbortController().signal)
    const { rows } = await sql`select from knowledge_chunks where file_id = ${file} and search @@ '東京都'`.execute(
      app.db,
    )
    expect(rows).toHaveLength(451)
  })
})
