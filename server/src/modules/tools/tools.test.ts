import { describe, expect, it } from 'vitest'
import type { Actor } from '#kernel/http/actor.ts'
import { builtinSource, createTools } from './index.ts'

const clock = { now: () => new Date('2026-07-01T12:00:00Z') }
const actorOf = (id: string) => ({ id, kind: 'user' }) as Actor
const context = {
  actor: actorOf('ana'),
  signal: AbortSignal.abort(),
  emit: () => undefined,
  chatId: null,
  messageId: null,
  sessionId: null,
}
const look = { name: 'look', description: '', parameters: {}, run: async () => ({ content: 'seen' }) }

describe('the registry', () => {
  it('resolves what every source has, each id once', async () => {
    const tools = createTools({ kernel: { clock } })
    tools.registerSource(builtinSource({ id: 'test:look', name: 'Look', description: 'Looks.', tools: [look] }))
    const resolved = await tools.resolve(actorOf('ana'), ['test:look', 'builtin:time', 'test:look'])
    expect(resolved.map(({ name }) => name)).toEqual(['look', 'current_time'])
  })

  it('lists and resolves only what is the caller’s, and names what it refuses', async () => {
    const tools = createTools({ kernel: { clock } })
    const isFor = ({ id }: Actor) => id === 'ana'
    tools.registerSource(builtinSource({ id: 'test:look', name: 'Look', description: '', tools: [look], isFor }))
    expect((await tools.list(actorOf('bob'))).map(({ id }) => id)).toEqual(['builtin:time'])
    await expect(tools.resolve(actorOf('bob'), ['builtin:time', 'test:look'])).rejects.toMatchObject({
      code: 'tool_not_allowed',
      message: expect.stringContaining('test:look'),
    })
  })
})

describe('the clock', () => {
  const tell = async (args: Record<string, unknown>) => {
    const [tool] = await createTools({ kernel: { clock } }).resolve(actorOf('ana'), ['builtin:time'])
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
