import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { uploadText } from '#test/harness/files.ts'
import { add, ask, collectionOf, create, found, knowledgeApp, upload } from '#test/harness/knowledge.ts'

const { app, ana, stranger } = await knowledgeApp()

describe('a question', () => {
  it('is answered by words: rare ones weigh more, and word forms don’t matter', async () => {
    const id = await collectionOf(
      ana,
      'The harbour opens at six. The office opens at eight. Everything opens sometime.',
      'A lighthouse keeper was counting all the wandering whales.',
      'The opening hours are printed on the door.',
    )
    const [best] = await found(ana, [id], 'When were the whales counted, and who opens?')
    expect(best).toContain('wandering whales')
  })

  it('is answered by meaning where no word is the same', async () => {
    const id = await collectionOf(
      ana,
      'The physician saw the child.',
      'Cash was kept in a drawer.',
      'A vessel left the bay.',
    )
    expect((await found(ana, [id], 'doctor', { k: 1 }))[0]).toContain('physician')
    expect((await found(ana, [id], 'money', { k: 1 }))[0]).toContain('Cash')
  })

  it('tells on request why each passage was found, and how a file was cut', async () => {
    const facts = { engine: 'compat', model: 'mini', semantic: true, vector_index: 'memory' }
    expect((await ana.get('/api/v1/retrieval/')).body).toMatchObject(facts)
    const file = await upload(ana, 'The physician saw the child.')
    const name = `file-${file}`
    expect((await ask(ana, [name], 'doctor')).body.reasons).toBeUndefined()
    const byMeaning = (await ask(ana, [name], 'doctor', { explain: true })).body.reasons[0][0]
    expect(byMeaning).toMatchObject({ meaning: { rank: 1, similarity: expect.closeTo(0.9, 1) } })
    expect(byMeaning.words).toBeUndefined()
    const byWords = (await ask(ana, [name], 'child', { explain: true })).body.reasons[0][0]
    expect(byWords.words).toMatchObject({ rank: 1, coverage: 1 })
    expect((await ana.get(`/api/v1/retrieval/files/${file}/chunks`)).body).toEqual({
      items: [{ position: 0, text: 'The physician saw the child.' }],
      total: 1,
      embedded: 1,
    })
  })

  it('leaves out passages below a threshold, and files that don’t fit the filter', async () => {
    const id = await create(ana)
    const files = [
      await upload(ana, 'The ferry leaves at nine from the north pier.', 'Ferry times.txt'),
      await upload(ana, 'The ferry has a café on board.', 'ship.md'),
    ]
    for (const file of files) await add(ana, id, file)
    const names = async (more: object) =>
      (await ask(ana, [id], 'ferry leaves pier', more)).body.metadatas[0].map(({ name }: { name: string }) => name)
    expect(await names({})).toEqual(['Ferry times.txt', 'ship.md'])
    expect(await names({ threshold: 0.99, hybrid: true })).toEqual(['Ferry times.txt'])
    expect(await names({ filter: { name: 'SHIP' } })).toEqual(['ship.md'])
    expect(await names({ filter: { file_ids: files.slice(0, 1) } })).toEqual(['Ferry times.txt'])
    expect(await names({ filter: { content_type: 'application/' } })).toEqual([])
    expect(await names({ filter: { source: 'https://' } })).toEqual([])
    const foreign = await upload(stranger, 'The ferry leaves from a secret pier.')
    expect(await names({ filter: { file_ids: [foreign] } })).toEqual([])
  })

  it('is asked of files by when they came and by their own metadata', async () => {
    const id = await create(ana)
    const store = async (name: string, metadata: object) => {
      const query = `collection_id=${id}&process_in_background=false`
      return (await uploadText(ana, `${name} costs nine crowns.`, { name, query, metadata: JSON.stringify(metadata) }))
        .body
    }
    const old = await store('Old price', { year: 2024, area: 'north' })
    await store('New price', { year: 2025, area: 'north' })
    expect(old.meta.data).toEqual({ year: 2024, area: 'north' })
    await sql`update files set created_at = now() - interval '2 days' where id = ${old.id}`.execute(app.db)
    const names = async (filter: object) =>
      (await ask(ana, [id], 'crowns', { filter })).body.metadatas[0].map(({ name }: { name: string }) => name).sort()
    const yesterday = old.created_at - 86_400
    expect(await names({ metadata: { area: 'north' } })).toEqual(['New price', 'Old price'])
    expect(await names({ metadata: { year: 2024, area: 'north' } })).toEqual(['Old price'])
    expect(await names({ metadata: { year: '2024' } })).toEqual([])
    expect(await names({ created_after: yesterday })).toEqual(['New price'])
    expect(await names({ created_before: yesterday })).toEqual(['Old price'])
    const unstorable = ['{"a":"x\\u0000"}', '{"a":"\\ud800"}', '{"a\\u0000":1}', '{"a":1e999}']
    for (const metadata of ['no JSON', '[1]', '{"a":{"b":1}}', '{"constructor":1}', '{"a b":1}', ...unstorable])
      expect((await uploadText(ana, 'x', { metadata })).status).toBe(422)
  })

  it('is answered in German, and in scripts without spaces', async () => {
    const id = await collectionOf(
      ana,
      'Die Häuser am Hafen wurden von den Fischern gebaut und sind nicht mehr bewohnt.',
      '東京の天気は晴れです。明日は雨が降るでしょう。',
    )
    expect((await found(ana, [id], 'Haus eines Fischers', { k: 1 }))[0]).toContain('Häuser')
    expect((await found(ana, [id], '明日の雨', { k: 1 }))[0]).toContain('雨が降る')
  })

  it('to a file by its name, or to several collections, joins neighbours and tells where they are from', async () => {
    const long = Array.from({ length: 40 }, (_, n) => `Sentence ${n} speaks of otters and rivers.`).join(' ')
    const file = await upload(ana, `# Otters\n\n${long}`, 'otters.md')
    const { body } = await ask(ana, [`file-${file}`, await collectionOf(ana, 'Otters sleep.')], 'otters rivers', {
      k: 3,
    })
    const [documents, metadatas, distances] = [body.documents[0], body.metadatas[0], body.distances[0]]
    expect(documents.length).toBe(metadatas.length)
    expect(distances).toEqual(distances.toSorted((one: number, other: number) => other - one))
    expect(metadatas[0]).toMatchObject({ file_id: file, name: 'otters.md', heading: 'Otters' })
    const whole = documents.find((text: string) => text.length > 1200) ?? ''
    for (let n = 0; n < 40; n += 1) expect(whole.split(`Sentence ${n} `).length).toBeLessThanOrEqual(2)
  })

  it.each(["'); drop table files; --", '\\ | & ! ( ) : *', '"" \u0000', "O'Neil's \\backslash", '🚀'])(
    'with odd characters is only a question: %s',
    async (query) => {
      const id = await collectionOf(ana, "O'Neil wrote a backslash.")
      expect([200, 400]).toContain((await ask(ana, [id], query)).status)
    },
  )
})
