import { expectOk } from '../../accounts.ts'
import { flood, type Road } from './road.ts'

const kinds = ['wide', 'deep', 'flood']

export const toolServers: Road = {
  name: 'tool-servers',
  rows: '4, 5',
  what: 'chats with MCP servers that list 60,000 properties, nest anyOf nine deep, or send 100,000 pings',
  prepare: async ({ newAttacker, owner, hostile }) => {
    const eve = await newAttacker()
    const items = kinds.map((kind) => ({ id: kind, type: 'mcp', url: `${hostile}/mcp/${kind}` }))
    await expectOk('tool servers', owner.post('/api/v1/configs/tool_servers', { items }))
    const verify = (kind: string) =>
      owner.post('/api/v1/configs/tool_servers/verify', { id: kind, type: 'mcp', url: `${hostile}/mcp/${kind}` })
    return {
      // The administrator tries them as well: what a server answers to that isn't remembered.
      run: (signal) =>
        flood(signal, 4, (turn) => {
          const kind = kinds[turn % kinds.length] ?? ''
          const messages = [{ role: 'user', content: 'Hello' }]
          const body = { model: 'swift', messages, tool_ids: [`server:mcp:${kind}`] }
          return turn % 2 === 0 ? verify(kind) : eve.post('/api/chat/completions', body)
        }),
    }
  },
}
