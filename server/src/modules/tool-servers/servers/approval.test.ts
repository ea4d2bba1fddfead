import { describe, expect, it } from 'vitest'
import { createSockets } from '#test/harness/sockets.ts'
import { toolScene } from '#test/harness/tool-scene.ts'
import { startMcpServer } from '#test/peers/mcp-server.ts'

const { app, save, use } = await toolScene()

describe('a tool that needs approval', () => {
  it('runs when the person allows it, or is exempt; a refusal and an empty room are told to the model', async () => {
    const peer = await startMcpServer(() => [{ name: 'send' }, { name: 'look' }])
    await save({ id: 'mail', type: 'mcp', url: peer.url, needs_approval: true })
    const ana = await app.user()
    const calls = [{ name: 'mail_send', arguments: { to: 'bob' } }]
    expect((await use(ana, 'server:mcp:mail', calls))[0]).toContain('nobody is there')

    const socket = await createSockets(app.url).connectAs(ana)
    const asked: { data: { type: string; data: Record<string, unknown> } }[] = []
    let answer = false
    socket.on('events', (event, reply) => {
      if (typeof reply !== 'function') return
      asked.push(event)
      reply(answer)
    })
    const session = { session_id: socket.id }
    expect((await use(ana, 'server:mcp:mail', calls, session))[0]).toContain('declined')
    answer = true
    expect((await use(ana, 'server:mcp:mail', calls, session))[0]).toBe('send {"to":"bob"}')
    expect(asked[0]?.data).toMatchObject({ type: 'confirmation', data: { title: 'Allow mail_send?' } })
    expect(asked[0]?.data.data.message).toContain('bob')
    const padded = [{ name: 'mail_send', arguments: { note: ' '.repeat(3000), to: 'bob' } }]
    answer = false
    await use(ana, 'server:mcp:mail', padded, session)
    expect(asked.at(-1)?.data.data.message).toMatch(/more characters that aren’t shown\.$/)

    await save({
      id: 'mail',
      type: 'mcp',
      url: peer.url,
      needs_approval: true,
      approval_exempt: ['mail_look'],
    })
    const both = [{ name: 'mail_look', arguments: {} }, ...calls]
    expect(await use(ana, 'server:mcp:mail', both, session)).toEqual(['look {}', expect.stringContaining('declined')])
  })
})
