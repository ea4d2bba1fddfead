import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Client } from '#test/harness/client.ts'
import { answered, asked, newChat, startChatsNode, turn, type Wire } from '#test/harness/conversation.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const find = async (person: Client, text: string): Promise<Wire[]> => {
  const { body } = await person.get(`/api/v1/chats/search?text=${encodeURIComponent(text)}`)
  return body.items
}
const titles = (items: Wire[]) => items.map(({ title }) => title)

describe('search in scripts without spaces', () => {
  it.each([
    ['Chinese', '我昨天在北京大学图书馆看书', '图书馆', '学«图书馆»看'],
    ['Japanese', 'きのう東京タワーに登りました。', '東京タワー', 'う«東京タワー»に'],
    ['Thai', 'แมวกินปลาในครัว', 'ปลา', 'กิน«ปลา»ใน'],
    ['mixed', '使用GPT模型翻译合同', 'gpt模型', '用«GPT模型»翻'],
    ['one character', '今日は雨です', '雨', 'は«雨»で'],
  ])('finds a word inside a sentence: %s', async (_script, sentence, word, shown) => {
    const ana = await app.user()
    await newChat(ana, turn(sentence, 'OK'), { title: 'Found' })
    await newChat(ana, turn('图书 馆员', '東京 と タワー'), { title: 'Other' })
    const hits = await find(ana, word)
    expect(titles(hits)).toEqual(['Found'])
    expect(hits[0]).toMatchObject({ snippet: expect.stringContaining(shown) })
    expect(await find(await app.user(), word)).toEqual([])
  })

  it('wants every word, of either kind', async () => {
    const ana = await app.user()
    await newChat(ana, turn('报告 report 已完成', '好'), { title: 'Report' })
    expect(titles(await find(ana, '报告 report'))).toEqual(['Report'])
    expect(await find(ana, '报告 missing')).toEqual([])
    expect(await find(ana, '合同 report')).toEqual([])
  })
})

describe('search', () => {
  it('finds words in messages and shows where', async () => {
    const ana = await app.user()
    await newChat(ana, turn('How tall is the Eiffel tower?', 'It is 330 metres tall.'), { title: 'Paris' })
    await newChat(ana, turn('Hello', 'Hi'), { title: 'Greetings' })
    const [hit, ...others] = await find(ana, 'eiffel')
    expect(hit).toMatchObject({ title: 'Paris', snippet: expect.stringContaining('the «Eiffel» tower') })
    expect(others).toEqual([])
  })

  it('finds words in titles, and parts of them', async () => {
    const ana = await app.user()
    await newChat(ana, [], { title: 'Quarterly report' })
    expect(titles(await find(ana, 'quarterly'))).toEqual(['Quarterly report'])
    expect(titles(await find(ana, 'erly rep'))).toEqual(['Quarterly report'])
    expect((await find(ana, 'quarterly'))[0]).not.toHaveProperty('snippet')
  })

  it('puts matching titles before matching messages, however new these are', async () => {
    const ana = await app.user()
    await newChat(ana, turn('Hello', 'Hi'), { title: 'A ferry to Crete' })
    app.clock.forward({ minutes: 5 })
    await newChat(ana, turn('When does the ferry leave?', 'At six.'), { title: 'Timetables' })
    expect(titles(await find(ana, 'ferry'))).toEqual(['A ferry to Crete', 'Timetables'])
  })

  it('wants all words, and takes the last as a beginning', async () => {
    const ana = await app.user()
    await newChat(ana, turn('The quick brown fox', 'jumps'), { title: 'Fox' })
    expect(titles(await find(ana, 'quick bro'))).toEqual(['Fox'])
    expect(titles(await find(ana, 'qui brown'))).toEqual([])
    expect(titles(await find(ana, 'quick purple'))).toEqual([])
  })

  it('looks into a reply once it is finished', async () => {
    const ana = await app.user()
    const question = asked('Which animal?')
    const answer = answered('A mammoth', question.id, { done: false })
    const { id } = await newChat(ana, [question, answer], { title: 'Animals' })
    expect(await find(ana, 'mammoth')).toEqual([])
    await ana.post(`/api/v1/chats/${id}`, { chat: { history: { messages: { [answer.id]: { done: true } } } } })
    expect(titles(await find(ana, 'mammoth'))).toEqual(['Animals'])
  })

  it('narrows by tag, folder, pin and archive', async () => {
    const ana = await app.user()
    const { id } = await newChat(ana, turn('Plan the trip', 'Sure'), { title: 'Trip' })
    await newChat(ana, turn('Plan the week', 'Sure'), { title: 'Week' })
    const { body } = await ana.post('/api/v1/folders', { name: 'Big ideas' })
    await ana.post(`/api/v1/chats/${id}/folder`, { folder_id: body.id })
    await ana.post(`/api/v1/chats/${id}/tags`, { tags: ['Travel'] })
    await ana.post(`/api/v1/chats/${id}/pin`)
    for (const words of ['tag:travel', 'folder:"big ideas" plan', 'pinned:true', 'plan tag:TRAVEL pinned:true'])
      expect(titles(await find(ana, words)), words).toEqual(['Trip'])
    expect(titles(await find(ana, 'plan pinned:false'))).toEqual(['Week'])
    await ana.post(`/api/v1/chats/${id}/archive`)
    expect(titles(await find(ana, 'plan'))).toEqual(['Week'])
    expect(titles(await find(ana, 'plan archived:true'))).toEqual(['Trip'])
  })

  it('without words is the list, and knows its length on every page', async () => {
    const ana = await app.user()
    await Promise.all([newChat(ana, []), newChat(ana, [])])
    expect((await ana.get('/api/v1/chats/search?limit=1')).body).toMatchObject({ items: [{}], total: 2 })
    expect((await ana.get('/api/v1/chats/search?page=9')).body).toEqual({ items: [], total: 2 })
  })

  it('shows nobody the chats of others', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    await newChat(ana, turn('A wondrous secret', 'Told'))
    expect(await find(bob, 'wondrous')).toEqual([])
  })

  it.each(["'", '\\', "it's", '&|!():*<->', '%', '日本', '"', 'a'.repeat(500)])(
    'is not confused by %s',
    async (text) => {
      const ana = await app.user()
      expect(await ana.get(`/api/v1/chats/search?text=${encodeURIComponent(text)}`)).toMatchObject({ status: 200 })
    },
  )
})

it('search for the floors above answers the message itself, of the caller alone', async () => {
  const { chats } = await startChatsNode(app)
  const ana = await app.user()
  const messages = turn('Where is the treasure?', 'Under the palm tree.')
  const { id } = await newChat(ana, messages, { title: 'Island' })
  const actor = { id: ana.id } as Parameters<typeof chats.search>[0]
  expect(await chats.search(actor, 'palm', 5)).toEqual([
    { chatId: id, title: 'Island', messageId: messages[1].id, snippet: 'Under the «palm» tree' },
  ])
  expect(await chats.search({ ...actor, id: app.unknownId() }, 'palm', 5)).toEqual([])
})

it('for a word that everything holds looks into the newest chats, and costs no more where there are thousands', async () => {
  const ana = await app.user()
  await sql`
    insert into chats (id, user_id, title, timestamp_ms, created_at, updated_at)
    select gen_random_uuid(), ${ana.id}, 'Note ' || n, 1, now(), now() - n * interval '1 minute'
    from generate_series(1, 6000) n`.execute(app.db)
  await sql`
    insert into chat_messages (chat_id, id, user_id, role, content, timestamp_sec)
    select id, gen_random_uuid(), user_id, 'user', 'common ' || case title when 'Note 5999' then 'rare' else '' end, 1
    from chats where user_id = ${ana.id}`.execute(app.db)
  const common = await ana.get('/api/v1/chats/search?text=common&limit=3')
  expect(titles(common.body.items)).toEqual(['Note 1', 'Note 2', 'Note 3'])
  expect(common.body.total).toBe(4)
  expect(titles(await find(ana, 'rare'))).toEqual(['Note 5999'])
  expect(titles(await find(ana, 'common rare'))).toEqual(['Note 5999'])
  expect(titles(await find(ana, 'note 5998'))).toEqual(['Note 5998'])
  expect(common.body).not.toHaveProperty('searched_to')
})
