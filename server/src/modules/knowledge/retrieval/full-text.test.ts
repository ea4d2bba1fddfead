import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { add, create, knowledgeApp, upload } from '#test/harness/knowledge.ts'
import { listChunksUnscoped } from '../queries/chunks.ts'
import { searchText } from './full-text.ts'

const { app, ana } = await knowledgeApp()

describe('a question', () => {
  it('in a large collection finds what holds the rare words first, and then what holds the frequent ones', async () => {
    const file = await upload(ana, 'The harbour opens early.')
    const id = await create(ana)
    await add(ana, id, file)
    await sql`
      insert into knowledge_chunks (file_id, position, text, word_count, text_hash, search)
      select ${file}::uuid, n, text, 4, sha256(text::bytea), to_tsvector('english', text)
      from (
        select n, concat('harbour notice ', n, case when n in (700, 1900) then ' lantern' when n = 2500 then ' lantern lantern' end) as text
        from generate_series(1, 3000) as n
      ) as given`.execute(app.db)
    const positionsOf = async (query: string) => {
      const scope = { collectionIds: [id], fileIds: [] }
      const hits = await searchText(app.db, scope, { query, limit: 5 })
      const ids = hits.map((hit) => hit.id)
      const rows = await listChunksUnscoped(app.db, scope, ids)
      // Whatever an index says, nobody gets the text of a file that isn't in the scope.
      expect(await listChunksUnscoped(app.db, { collectionIds: [], fileIds: [] }, ids)).toEqual([])
      return hits.map((hit) => rows.find((row) => row.id === hit.id)?.position)
    }
    // Large scopes are searched in another way, and must be ranked the same.
    for (const chunks of [3001, 13_001]) {
      await sql`update knowledge_documents set chunk_count = ${chunks}, word_count = ${chunks * 4} where file_id = ${file}`.execute(
        app.db,
      )
      const [first, ...others] = await positionsOf('harbour lantern')
      expect(first).toBe(2500)
      expect(others.slice(0, 2).toSorted()).toEqual([1900, 700])
      expect(others).toHaveLength(4)
      expect(await positionsOf('lantern nowhere')).toHaveLength(3)
    }
  })
})
