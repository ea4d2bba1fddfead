/** What a tool server is told about who asks, and how its headers are kept. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { toolScene } from '#test/harness/tool-scene.ts'
import { startMcpServer } from '#test/peers/mcp-server.ts'

const { app, owner, provider, base, save, use } = await toolScene()

describe('an MCP server', () => {
  it('gets its key, the six placeholders and who asks; no key or session of the caller, and nothing that ends a header', async () => {
    const peer = await startMcpServer(() => [{ name: 'look' }])
    const headers = {
      'x-who': '{{USER_ID}}|{{USER_NAME}}|{{USER_EMAIL}}|{{USER_ROLE}}|{{CHAT_ID}}|{{MESSAGE_ID}}',
      'x-other': '{{API_KEY}} {{USER_TOKEN}} {{ USER_ID }}',
    }
    const [shown] = await save({
      id: 'peer',
      type: 'mcp',
      url: peer.url,
      auth_type: 'bearer',
      key: 'server-key',
      headers,
    })
    expect(shown).toMatchObject({ has_key: true, tool_id: 'server:mcp:peer' })
    expect(JSON.stringify(shown)).not.toContain('server-key')
    const ana = await app.user({ name: 'Zoë {{USER_EMAIL}} 100%' })
    const chat = await prepareChat(ana)
    await use(ana, 'server:mcp:peer', [{ name: 'peer_look', arguments: {} }], chat.body)
    const last = peer.seen.at(-1)
    expect(last).toMatchObject({
      authorization: 'Bearer server-key',
      'x-who': `${ana.id}|Zo%C3%AB {{USER_EMAIL}} 100%25|${ana.email}|ROLE_USER|${chat.chatId}|${chat.messageId}`,
      'x-other': '{{API_KEY}} {{USER_TOKEN}} {{ USER_ID }}',
      'x-svc-user-id': ana.id,
      'x-svc-user-name': 'Zo%C3%AB {{USER_EMAIL}} 100%25',
      'x-chat': chat.chatId,
      'x-svc-message-id': chat.messageId,
    })
    expect(JSON.stringify(peer.seen)).not.toContain(ana.token)
  })

  it('has its headers encrypted and never shown again: blank keeps a value, another server gets none', async () => {
    const [peer, other] = [await startMcpServer(() => [{ name: 'look' }]), await startMcpServer(() => [])]
    const server = { id: 'heads', type: 'mcp', url: peer.url }
    const shown = await save({ ...server, headers: { 'X-Api-Key': 'header-secret', 'X-Team': 'blue' } })
    expect(shown).toMatchObject([{ headers: { 'X-Api-Key': '', 'X-Team': '' } }])
    const stored = await sql`select * from tool_servers`.execute(app.db)
    for (const seen of [stored.rows, (await owner.get(base)).body, (await owner.get('/api/admin/audit')).body])
      expect(JSON.stringify(seen)).not.toMatch(/header-secret|blue/)

    const ana = await app.user()
    const sent = async () => {
      await use(ana, 'server:mcp:heads', [{ name: 'heads_look', arguments: {} }])
      const { 'x-api-key': key, 'x-team': team } = peer.seen.at(-1) ?? {}
      return [key, team]
    }
    expect(await sent()).toEqual(['header-secret', 'blue'])
    expect((await owner.get(base)).body.items[0].headers).toEqual({ 'X-Api-Key': '', 'X-Team': '' })
    await save({ ...server, headers: { 'x-api-key': '', 'X-Team': 'red' } })
    expect(await sent()).toEqual(['header-secret', 'red'])
    await save(server)
    expect(await sent()).toEqual(['header-secret', 'red'])
    await owner.post(`${base}/verify`, { ...server, url: other.url })
    const moved = { ...server, url: other.url, headers: { 'X-Api-Key': '' } }
    for (const reply of [await owner.post(`${base}/verify`, moved), await owner.post(base, { items: [moved] })])
      expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'headers', 'X-Api-Key'] }] } })
    expect(JSON.stringify(other.seen)).not.toMatch(/header-secret|red/)
    await save({ ...server, headers: {} })
    expect(await sent()).toEqual([undefined, undefined])
  })

  it('whose headers an earlier release stored in the clear is sealed at the next start, and works as before', async () => {
    const peer = await startMcpServer(() => [{ name: 'look' }])
    await save({ id: 'older', type: 'mcp', url: peer.url })
    await sql`update tool_servers set headers = '{"x-key": "plain-secret"}' where id = 'older'`.execute(app.db)
    const next = await testApp({ databaseUrl: app.databaseUrl, env: { COMPAT_API_BASE_URL: provider.url } })
    const stored = await sql`select * from tool_servers`.execute(app.db)
    expect(JSON.stringify(stored.rows)).not.toContain('plain-secret')
    const there = createClient(next.url, bearer(owner.token))
    expect((await there.get(base)).body).toMatchObject({ items: [{ headers: { 'x-key': '' } }] })
    await there.post(`${base}/verify`, { id: 'older', type: 'mcp', url: peer.url })
    expect(peer.seen.at(-1)).toMatchObject({ 'x-key': 'plain-secret' })
  })
})
