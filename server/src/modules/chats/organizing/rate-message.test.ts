/** Ratings of replies, and who reads them. */
import { describe, expect, it } from 'vitest'
import { newChat, turn } from '#test/harness/conversation.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()

describe('a rating of a reply', () => {
  const rated = async () => {
    const org = `org ${app.unknownId()}`
    const boss = await app.user({ org })
    const ana = await app.user({ org, name: 'Ana Author' })
    const [question, reply] = turn('A private question', 'An answer')
    const { id } = await newChat(ana, [question, reply])
    return { boss, ana, id, question, reply, path: `/api/v1/chats/${id}/messages/${reply.id}/rating` }
  }

  it('is on the message and in the report of the organization, with its reason but without the conversation', async () => {
    const { boss, ana, id, reply, path } = await rated()
    expect(await ana.put(path, { rating: 'good' })).toMatchObject({ status: 204 })
    expect(await ana.put(path, { rating: 'bad', reason: '=wrong, twice' })).toMatchObject({ status: 204 })
    const chat = await ana.get(`/api/v1/chats/${id}`)
    expect(chat.body.chat.history.messages[reply.id].annotation).toEqual({ rating: -1, reason: '=wrong, twice' })

    const report = await boss.get('/api/v1/ratings')
    expect(report.body).toMatchObject({
      total: 1,
      items: [{ user_name: 'Ana Author', rating: 'bad', reason: '=wrong, twice', share_id: null }],
      models: [{ good: 0, bad: 1 }],
    })
    expect(report.text).not.toMatch(/A private question|An answer/)
    const { share_id } = (await ana.post(`/api/v1/chats/${id}/share`)).body
    const file = await boss.get('/api/v1/ratings?format=csv')
    expect(file.text).toContain(`Ana Author,`)
    expect(file.text).toContain(`bad,"'=wrong, twice",`)
    expect(file.text).toContain(`/shared/${share_id}`)
    expect((await boss.get('/api/v1/ratings?rating=good')).body.total).toBe(0)

    const [another, second] = turn('Another question', 'Another answer')
    const { id: other } = await newChat(ana, [another, second])
    await ana.put(`/api/v1/chats/${other}/messages/${second.id}/rating`, { rating: 'good' })
    const sorted = async (sort: string) =>
      (await boss.get(`/api/v1/ratings?sort=${sort}`)).body.items.map(({ rating }: { rating: string }) => rating)
    expect(await sorted('rating')).toEqual(['bad', 'good'])
    expect(await sorted('-rating')).toEqual(['good', 'bad'])
    for (const sort of ['time', '-person', 'model']) expect(await sorted(sort)).toHaveLength(2)
  })

  it('is withdrawn, goes with its message, and is for replies only', async () => {
    const { boss, ana, id, question, reply, path } = await rated()
    await ana.put(path, { rating: 'bad' })
    expect(await ana.delete(path)).toMatchObject({ status: 204 })
    expect((await boss.get('/api/v1/ratings')).body.total).toBe(0)
    expect((await ana.get(`/api/v1/chats/${id}`)).body.chat.history.messages[reply.id].annotation).toBeNull()
    await ana.put(path, { rating: 'good' })
    await ana.delete(`/api/v1/chats/${id}/messages/${reply.id}`)
    expect((await boss.get('/api/v1/ratings')).body.total).toBe(0)
    const onQuestion = `/api/v1/chats/${id}/messages/${question.id}/rating`
    expect(await ana.put(onQuestion, { rating: 'good' })).toMatchObject({ status: 404 })
    expect(await ana.put(path, { rating: 'fine' })).toMatchObject({ status: 422 })
  })

  it('is reported to admins: of one organization its own, of the platform all', async () => {
    const { boss, ana, path } = await rated()
    await ana.put(path, { rating: 'good' })
    const other = await rated()
    expect((await boss.get('/api/v1/ratings')).body.total).toBe(1)
    expect((await other.boss.get('/api/v1/ratings')).body.total).toBe(0)
    expect(await ana.get('/api/v1/ratings')).toMatchObject({ status: 403 })
    const owner = await app.platformOwner()
    expect((await owner.get('/api/v1/ratings')).body.total).toBeGreaterThanOrEqual(1)
  })
})
