import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask, collectionOf, found, knowledgeApp, upload, usedBy } from '#test/harness/knowledge.ts'
import { startSite } from '#test/peers/site.ts'

const { app, ana } = await knowledgeApp()

describe('a question', () => {
  it('is put in the order of the reranker, if one is set and answers', async () => {
    const id = await collectionOf(ana, 'Apples grow on trees.', 'Apples and pears grow on trees here.')
    const asked: unknown[] = []
    let answer = { status: 200, body: '' }
    const site = await startSite(({ path, body, headers }, response) => {
      asked.push({ path, key: headers.authorization, body: JSON.parse(body) })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
    onTestFinished(() => site.close())
    const owner = await app.platformOwner()
    const set = (url: string | null) =>
      owner.post('/api/v1/configs', {
        'rag.reranking.url': url,
        'rag.reranking.model': url && 'judge',
        'rag.reranking.key': url && 'judge-key',
      })
    const before = await found(ana, [id], 'apples')
    await set(`${site.origin}/v1/`)
    const results = [0.2, 0.9].map((score, index) => ({ index, relevance_score: score }))
    answer = { status: 200, body: JSON.stringify({ results, usage: { total_tokens: 77 } }) }
    const { body } = await ask(ana, [id], 'apples', { explain: true })
    expect(body.documents[0]).toEqual(before.toReversed())
    expect(body.distances[0]).toEqual([0.9, 0.2])
    expect(body.reasons[0][0]).toMatchObject({ reranked: { score: 0.9 } })
    expect(await usedBy(ana, 'judge')).toEqual({ requests: 1, failures: 0, tokens: 77 })
    const sent = { model: 'judge', query: 'apples', documents: before, top_n: 2 }
    for (const usage of [null, 'none', { total_tokens: null }]) {
      answer = { status: 200, body: JSON.stringify({ results, usage }) }
      expect(await found(ana, [id], 'apples')).toEqual(before.toReversed())
    }
    expect(asked.splice(1)).toHaveLength(3)
    expect(asked).toEqual([{ path: '/v1/rerank', key: 'Bearer judge-key', body: sent }])
    expect(await found(ana, [id], 'apples', { threshold: 0.5 })).toEqual([before[1]])
    expect(await found(ana, [id], 'apples', { rerank: false })).toEqual(before)
    // It is asked about thirty at most; the others are found all the same.
    const file = await upload(ana, 'Plums of tree number 0.')
    await sql`
      insert into knowledge_chunks (file_id, position, text, word_count, text_hash, search)
      select ${file}::uuid, n * 10, text, 5, sha256(text::bytea), to_tsvector('english', text)
      from (select n, concat('Plums of tree number ', n, '.') as text from generate_series(1, 31) as n) as given`.execute(
      app.db,
    )
    await sql`update knowledge_documents set chunk_count = 32, word_count = 160 where file_id = ${file}`.execute(app.db)
    expect(await found(ana, [`file-${file}`], 'plums', { k: 40 })).toHaveLength(32)
    expect((asked.at(-1) as { body: { documents: unknown[] } }).body.documents).toHaveLength(30)
    answer = { status: 500, body: '{}' }
    expect(await found(ana, [id], 'apples')).toEqual(before)
    expect(await usedBy(ana, 'judge')).toMatchObject({ failures: 1 })
    await set(null)
  })
})
