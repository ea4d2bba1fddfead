import { describe, expect, it, onTestFinished } from 'vitest'
import { prepareChat } from '#test/harness/chat.ts'
import type { Person } from '#test/harness/people.ts'
import { toolScene } from '#test/harness/tool-scene.ts'
import { startMcpOAuth } from '#test/peers/mcp-oauth.ts'

const { app, ask, owner, base, save, use, sentTools } = await toolScene()

describe('an MCP server where each person signs in', () => {
  const toolId = 'server:mcp:own'
  const whoami = [{ name: 'own_whoami', arguments: {} }]
  /** As a browser would: to the server's page, which sends it straight back. */
  const goSignIn = async (person: Person): Promise<string> => {
    const start = await person.get('/oauth/clients/own/authorize')
    expect(start.status).toBe(302)
    const page = new URL(start.headers.get('location') ?? '')
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      response_type: 'code',
    })
    const back = await fetch(page, { redirect: 'manual' })
    const { pathname, search } = new URL(back.headers.get('location') ?? '')
    return pathname + search
  }
  const connected = async (person: Person) => (await person.get('/api/v1/tools/connections')).body.items

  it('is used only after that, with their own token, which is stored encrypted, refreshed once and asked for again', async () => {
    const peer = await startMcpOAuth()
    const server = { id: 'own', type: 'mcp', name: 'Own things', url: peer.url, auth_type: 'oauth_2.1' }
    expect((await owner.post(`${base}/verify`, server)).body).toMatchObject({ reachable: true })
    await save(server)
    const [ana, bob] = [await app.user(), await app.user()]
    expect(await ask(ana, [toolId])).toMatchObject({ status: 403, body: { code: 'tool_sign_in_required' } })
    expect(await connected(ana)).toMatchObject([{ id: 'own', tool_id: toolId, connected_at: null }])

    const back = await goSignIn(ana)
    const refused = { status: 502, body: { code: 'tool_server_sign_in_failed' } }
    expect(await bob.get(back)).toMatchObject(refused)
    const done = await ana.get(back)
    expect([done.status, done.headers.get('location')]).toEqual([302, '/account/plugins?connected=own'])
    expect(await ana.get(back)).toMatchObject(refused)
    expect(await connected(ana)).toMatchObject([{ connected_at: expect.any(Number) }])
    expect(await connected(bob)).toMatchObject([{ connected_at: null }])
    expect(await use(ana, toolId, whoami)).toEqual(['you'])
    expect(await use(ana, toolId, [{ name: 'own_repeat', arguments: {} }])).toEqual(['Bearer ••••••'])
    const token = peer.tokens.at(-1)?.replace('Bearer ', '') ?? ''
    expect(token).toMatch(/^access-/)
    const rows = await app.db.selectFrom('toolServerTokens').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)

    app.clock.forward({ minutes: 60 })
    const connections = [ana, ana, ana].map((person) => ask(person, [toolId]))
    expect((await Promise.all(connections)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(peer.refreshes()).toBe(1)
    peer.endAccess()
    expect(await use(ana, toolId, whoami)).toEqual(['you'])
    expect(peer.refreshes()).toBe(2)
    peer.endRefresh()
    app.clock.forward({ minutes: 60 })
    expect(await ask(ana, [toolId])).toMatchObject({ status: 403, body: { code: 'tool_sign_in_required' } })
    expect(await connected(ana)).toMatchObject([{ connected_at: null }])
  })

  it('that is down when a sign-in must be refreshed costs its own tools only', async () => {
    const peer = await startMcpOAuth()
    await save({ id: 'own', type: 'mcp', url: peer.url, auth_type: 'oauth_2.1' })
    const ana = await app.user()
    await ana.get(await goSignIn(ana))
    app.clock.forward({ minutes: 60 })
    peer.close()
    expect(await ask(ana, [toolId])).toMatchObject({ status: 200 })
    expect(sentTools()).toEqual([])
    expect(await connected(ana)).toMatchObject([{ connected_at: expect.any(Number) }])
  })

  it('that refreshes slowly keeps nobody else from the database', async () => {
    const peer = await startMcpOAuth()
    await save({ id: 'own', type: 'mcp', url: peer.url, auth_type: 'oauth_2.1' })
    const [ana, bob] = [await app.user(), await app.user()]
    await ana.get(await goSignIn(ana))
    app.clock.forward({ minutes: 60 })
    const hold = Promise.withResolvers<void>()
    onTestFinished(() => hold.resolve())
    peer.holdRefresh(hold.promise)
    const asking = Array.from({ length: 20 }, () => ask(ana, [toolId]))
    await expect.poll(() => peer.refreshes()).toBe(1)
    expect((await bob.get('/api/v1/folders')).status).toBe(200)
    hold.resolve()
    for (const reply of await Promise.all(asking)) expect(reply.status).toBe(200)
    expect(peer.refreshes()).toBe(1)
  })

  it('that refreshes slowly is left at once by a caller who leaves, and its answer is stored all the same', async () => {
    const peer = await startMcpOAuth()
    await save({ id: 'own', type: 'mcp', url: peer.url, auth_type: 'oauth_2.1' })
    const ana = await app.user()
    await ana.get(await goSignIn(ana))
    app.clock.forward({ minutes: 60 })
    const hold = Promise.withResolvers<void>()
    onTestFinished(() => hold.resolve())
    peer.holdRefresh(hold.promise)
    const later = { prefer: 'respond-async' }
    // The first refreshes, the second waits for it.
    for (let count = 0; count < 2; count += 1) {
      const chat = await prepareChat(ana)
      const { task_ids } = (
        await ana.post('/api/chat/completions', { model: 'swift', ...chat.body, tool_ids: [toolId] }, later)
      ).body
      await expect.poll(() => peer.refreshes()).toBe(1)
      await ana.post(`/api/tasks/stop/${task_ids[0]}`)
      await expect.poll(async () => (await ana.get(`/api/tasks/chat/${chat.chatId}`)).body).toEqual({ task_ids: [] })
    }
    hold.resolve()
    expect(await use(ana, toolId, whoami)).toEqual(['you'])
    expect(peer.refreshes()).toBe(1)
  })

  it('that answers a refresh late brings back no sign-in that was ended, and replaces none that is newer', async () => {
    const peer = await startMcpOAuth()
    await save({ id: 'own', type: 'mcp', url: peer.url, auth_type: 'oauth_2.1' })
    const ana = await app.user()
    const rows = () => app.db.selectFrom('toolServerTokens').selectAll().where('userId', '=', ana.id).execute()
    for (const signInAgain of [false, true]) {
      await ana.get(await goSignIn(ana))
      app.clock.forward({ minutes: 60 })
      const hold = Promise.withResolvers<void>()
      onTestFinished(() => hold.resolve())
      peer.holdRefresh(hold.promise)
      const before = peer.refreshes()
      const asking = ask(ana, [toolId])
      await expect.poll(() => peer.refreshes()).toBe(before + 1)
      await ana.send('DELETE', '/api/v1/tools/connections/own')
      if (signInAgain) await ana.get(await goSignIn(ana))
      const stored = await rows()
      hold.resolve()
      expect((await asking).status).toBe(signInAgain ? 200 : 403)
      expect(await rows()).toEqual(stored)
    }
  })

  it('that is another server now gets no tokens of the first', async () => {
    const [first, second] = [await startMcpOAuth(), await startMcpOAuth()]
    await save({ id: 'own', type: 'mcp', url: first.url, auth_type: 'oauth_2.1' })
    const ana = await app.user()
    await ana.get(await goSignIn(ana))
    expect(await connected(ana)).toMatchObject([{ connected_at: expect.any(Number) }])
    await save({ id: 'own', type: 'mcp', url: second.url, auth_type: 'oauth_2.1' })
    expect(await connected(ana)).toMatchObject([{ connected_at: null }])
    await save({ id: 'own', type: 'mcp', url: first.url, auth_type: 'oauth_2.1' })
    expect(await connected(ana)).toMatchObject([{ connected_at: null }])
  })
})
