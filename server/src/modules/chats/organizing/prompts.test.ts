import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const path = '/api/v1/prompts'
const letter = { command: 'letter', content: 'Write a letter to {{name}}.' }

describe('prompts', () => {
  it('are read by their author, and by colleagues while they are shared', async () => {
    const [ana, bob, eve] = [await app.user({ org: 'ink' }), await app.user({ org: 'ink' }), await app.user()]
    const { status, body } = await ana.post(path, letter)
    expect({ status, body }).toMatchObject({ status: 201, body: { ...letter, shared: false, is_own: true } })
    expect((await bob.get(path)).body.items).toEqual([])
    const shared = await ana.put(`${path}/${body.id}`, { ...letter, shared: true })
    expect(shared).toMatchObject({ status: 200, body: { shared: true } })
    expect((await bob.get(path)).body.items).toMatchObject([{ command: 'letter', is_own: false }])
    expect((await eve.get(path)).body.items).toEqual([])
    expect((await bob.put(`${path}/${body.id}`, letter)).status).toBe(404)
    expect((await ana.delete(`${path}/${body.id}`)).status).toBe(204)
    expect((await bob.get(path)).body).toEqual({ items: [], total: 0 })
  })

  it('are counted whole where colleagues share thousands, and one’s own are always among those listed', async () => {
    const org = `crowd ${app.unknownId()}`
    const [ana, bob] = [await app.user({ org }), await app.user({ org })]
    await sql`insert into prompts (id, user_id, organization_id, command, content, shared, created_at, updated_at)
      select gen_random_uuid(), ${bob.id}::uuid, ${bob.organizationId}::uuid, 'a' || number, 'x', true, now(), now()
      from generate_series(1, 2100) as number`.execute(app.db)
    await ana.post(path, { command: 'zebra', content: 'Last of all.' })
    const { body } = await ana.get(path)
    expect(body.total).toBe(2101)
    expect(body.items).toHaveLength(2000)
    expect(body.items.at(-1)).toMatchObject({ command: 'zebra', is_own: true })
  })

  it('have a command that is unique among a person’s own', async () => {
    const [ana, bob] = [await app.user(), await app.user()]
    const replies = await Promise.all(Array.from({ length: 4 }, () => ana.post(path, letter)))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect((await bob.post(path, letter)).status).toBe(201)
    const other = await ana.post(path, { ...letter, command: 'other' })
    expect(await ana.put(`${path}/${other.body.id}`, letter)).toMatchObject({
      status: 409,
      body: { code: 'prompt_command_taken' },
    })
    for (const command of ['', 'Big', 'two words', '/slash', 'x'.repeat(41)])
      expect((await ana.post(path, { ...letter, command })).status).toBe(422)
  })
})

describe('what new chats start with', () => {
  it('is one person’s own, empty at first, and replaced as a whole', async () => {
    const [ana, bob] = [await app.user(), await app.user()]
    const defaults = '/api/v1/chats/defaults'
    expect((await ana.get(defaults)).body).toEqual({})
    const options = { system: 'Answer in one sentence.', temperature: 0.2 }
    expect(await ana.put(defaults, options)).toMatchObject({ status: 200, body: options })
    expect(await ana.put(defaults, { max_tokens: 100 })).toMatchObject({ status: 200 })
    expect((await ana.get(defaults)).body).toEqual({ max_tokens: 100 })
    expect((await bob.get(defaults)).body).toEqual({})
    for (const wrong of [{ temperature: 3 }, { top_p: -1 }, { max_tokens: 0 }, { stream: true }])
      expect((await ana.put(defaults, wrong)).status).toBe(422)
  })
})
