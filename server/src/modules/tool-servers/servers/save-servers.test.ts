import { describe, expect, it } from 'vitest'
import { toolScene } from '#test/harness/tool-scene.ts'
import { startMcpServer } from '#test/peers/mcp-server.ts'

const { app, ask, owner, base, save, use } = await toolScene()

describe('an MCP server', () => {
  it('A44: can be no program: only addresses over HTTP are taken, and one id stands once', async () => {
    for (const wrong of [
      { type: 'stdio', command: 'sh' },
      { type: 'mcp', command: 'sh', url: 'http://127.0.0.1:9' },
      { type: 'mcp', url: 'file:///bin/sh' },
      { type: 'mcp', url: 'ws://127.0.0.1:9' },
      { type: 'mcp', url: 'http://127.0.0.1:9', headers: { 'x-a': 'b\r\nx-c: d' } },
      { type: 'mcp', url: 'http://127.0.0.1:9', headers: { 'x a': 'b' } },
    ])
      expect(await owner.post(base, { items: [{ id: 'x', ...wrong }] })).toMatchObject({ status: 422 })
    const twice = { id: 'x', type: 'mcp', url: 'http://127.0.0.1:9' }
    expect(await owner.post(base, { items: [twice, twice] })).toMatchObject({
      status: 409,
      body: { code: 'tool_server_exists' },
    })
  })

  it('keeps its key while it stays the same server, and loses it when it is pointed elsewhere', async () => {
    const [peer, other] = [await startMcpServer(() => []), await startMcpServer(() => [])]
    await save({ id: 'moved', type: 'mcp', url: peer.url, auth_type: 'bearer', key: 'server-key' })
    expect(await save({ id: 'moved', type: 'mcp', url: peer.url, auth_type: 'bearer' })).toMatchObject([
      { has_key: true },
    ])
    const tried = await owner.post(`${base}/verify`, { id: 'moved', type: 'mcp', url: other.url, auth_type: 'bearer' })
    expect(tried.body).toMatchObject({ reachable: true })
    expect(await save({ id: 'moved', type: 'mcp', url: other.url, auth_type: 'bearer' })).toMatchObject([
      { has_key: false },
    ])
    expect(JSON.stringify(other.seen)).not.toContain('server-key')
  })

  it('is asked only for those it is granted to', async () => {
    const peer = await startMcpServer(() => [{ name: 'look' }])
    const [ana, ben] = [await app.user(), await app.user()]
    const grant = { principal_type: 'user', principal_id: ana.id, permission: 'read' }
    await save({ id: 'granted', type: 'mcp', url: peer.url, access_grants: [grant] })
    const refused = await ask(ben, ['server:mcp:granted'])
    expect(refused).toMatchObject({ status: 403, body: { code: 'tool_not_allowed' } })
    expect(peer.seen).toEqual([])
    expect((await ben.get('/api/v1/tools')).text).not.toContain('granted')
    expect(await use(ana, 'server:mcp:granted', [{ name: 'granted_look', arguments: { a: 1 } }])).toEqual([
      'look {"a":1}',
    ])
  })

  it('where each person signs in is no OpenAPI server', async () => {
    const item = { id: 'own', type: 'openapi', url: 'https://a.test', auth_type: 'oauth_2.1' }
    expect(await owner.post(base, { items: [item] })).toMatchObject({ status: 422 })
  })
})
