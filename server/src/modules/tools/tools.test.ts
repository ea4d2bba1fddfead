import { describe, expect, it } from 'vitest'
import type { Config } from '#config'
import type { Actor } from '#kernel/http/actor.ts'
import { builtinSource, createTools } from './index.ts'

const clock = { now: () => new Date('2026-07-01T12:00:00Z') }
const actorOf = (id: string, allowedRoutes: string[] | null = null) =>
  ({ id, kind: 'user', credential: { allowedRoutes } }) as unknown as Actor
const makeTools = () =>
  createTools({
    kernel: { clock, config: {} as Config },
    settings: {
      register:
        ({ fallback }) =>
        () =>
          fallback,
    },
    realtime: { call: async () => true },
  })
const context = {
  actor: actorOf('ana'),
  signal: AbortSignal.abort(),
  emit: () => undefined,
  chatId: null,
  messageId: null,
  sessionId: null,
}
const look = { name: 'look', description: '', parameters: {}, routes: [], run: async () => ({ content: 'seen' }) }

describe('the registry', () => {
  it('resolves what every source has, each id once', async () => {
    const tools = makeTools()
    tools.registerSource(builtinSource({ id: 'test:look', name: 'Look', description: 'Looks.', tools: [look] }))
    const resolved = await tools.resolve(actorOf('ana'), ['test:look', 'builtin:time', 'test:look'])
    expect(resolved.map(({ name }) => name)).toEqual(['look', 'current_time'])
  })

  it('lists and resolves only what is the caller’s, and names what it refuses', async () => {
    const tools = makeTools()
    const isFor = ({ id }: Actor) => id === 'ana'
    tools.registerSource(builtinSource({ id: 'test:look', name: 'Look', description: '', tools: [look], isFor }))
    expect((await tools.list(actorOf('bob'))).map(({ id }) => id)).toEqual(['builtin:time'])
    await expect(tools.resolve(actorOf('bob'), ['builtin:time', 'test:look'])).rejects.toMatchObject({
      code: 'tool_not_allowed',
      message: expect.stringContaining('test:look'),
    })
  })
})

describe('a tool that stands for routes', () => {
  const tools = makeTools()
  const find = { ...look, name: 'find', routes: ['/api/v1/things', '/api/v1/places/search'] as const }
  tools.registerSource(builtinSource({ id: 'test:things', name: 'Things', description: '', tools: [look, find] }))
  tools.registerSource(builtinSource({ id: 'test:find', name: 'Find', description: '', tools: [find] }))

  it.each([
    ['no limits', null, ['look', 'find']],
    ['all of them', ['/api/v1/things', '/api/v1/places'], ['look', 'find']],
    ['one of them', ['/api/v1/things'], ['look']],
    ['what begins like one', ['/api/v1/things', '/api/v1/places/search-more'], ['look']],
    ['the route of all tools', ['/mcp'], ['look', 'find']],
    ['nothing', [], ['look']],
  ])('is there for a key with %s only as far as it reaches', async (_what, allowed, names) => {
    const actor = actorOf('ana', allowed)
    expect((await tools.resolve(actor, ['test:things'])).map(({ name }) => name)).toEqual(names)
    const hasFind = names.includes('find')
    expect((await tools.list(actor)).some(({ id }) => id === 'test:find')).toBe(hasFind)
    if (!hasFind) await expect(tools.resolve(actor, ['test:find'])).rejects.toMatchObject({ code: 'tool_not_allowed' })
  })
})

describe('the clock', () => {
  const tell = async (args: Record<string, unknown>) => {
    const [tool] = await makeTools().resolve(actorOf('ana'), ['builtin:time'])
    return tool?.run(args, context)
  }

  it.each([
    [{}, '12:00:00 UTC'],
    [{ timezone: 'Asia/Tokyo' }, '21:00:00 GMT+9'],
    [{ timezone: 7 }, '12:00:00 UTC'],
  ])('tells the time for %j', async (args, time) => {
    expect((await tell(args))?.content).toContain(`Wednesday, 1 July 2026 at ${time}`)
  })

  it('knows no zone that is none', async () => {
    await expect(tell({ timezone: 'Nowhere' })).rejects.toMatchObject({ code: 'tool_failed' })
  })
})
