/** Several connections that serve one model, and the breakers that keep calls away from what fails. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { somebody, testModels, textOf } from '#test/harness/models.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const first = await startModelProvider({ models: ['shared', 'only-first'] })
const second = await startModelProvider({ models: ['shared'] })
const { ask, askAs, uses, clock, models } = await testModels({ COMPAT_API_BASE_URLS: `${first.url};${second.url}` })
afterAll(() => Promise.all([first.close(), second.close()]))

const callsOf = () => [first.calls().length, second.calls().length]
let before: number[] = []
const since = () => callsOf().map((count, index) => count - (before[index] ?? 0))

beforeEach(async () => {
  first.usually({})
  second.usually({})
  clock.forward({ minutes: 10 })
  await ask('only-first')
  uses.length = 0
  before = callsOf()
})

describe('a model that two connections serve', () => {
  it('is asked for at the first', async () => {
    await ask('shared')
    expect(since()).toEqual([1, 0])
  })

  it.each([
    ['500', { fail: { status: 500 } }],
    ['429', { fail: { status: 429 } }],
    ['401', { fail: { status: 401 } }],
    ['a stream that is none', { bytes: '<html>', contentType: 'text/html' }],
    ['a stream that ends before it begins', { bytes: '' }],
  ])('is asked for at the second when the first answers %s', async (_what, behaviour) => {
    first.script(behaviour)
    expect(await textOf(await ask('shared', { stream: true }))).toContain('three')
    expect(since()).toEqual([1, 1])
    expect(uses).toMatchObject([{ model: 'shared', failed: false }])
  })

  it('is not asked for elsewhere when the first refuses the request itself', async () => {
    first.script({ fail: { status: 400 } })
    await expect(ask('shared')).rejects.toMatchObject({ code: 'provider_refused' })
    expect(since()).toEqual([1, 0])
  })

  it('is not asked for elsewhere once the first byte has come', async () => {
    first.script({ chunks: ['a', 'b'], cutsAfter: 1 })
    await expect(textOf(await ask('shared', { stream: true }))).rejects.toMatchObject({ code: 'provider_failed' })
    expect(since()).toEqual([1, 0])
  })

  it('fails with what the last one said when all fail, and is counted once', async () => {
    first.script({ fail: { status: 500 } })
    second.script({ fail: { status: 429 } })
    await expect(ask('shared')).rejects.toMatchObject({ code: 'provider_busy' })
    expect(uses).toEqual([{ model: 'shared', promptTokens: 0, completionTokens: 0, failed: true }])
  })

  it('is asked for at the healthy one first after a failure', async () => {
    first.script({ fail: { status: 500 } })
    await ask('shared')
    await ask('shared')
    expect(since()).toEqual([1, 2])
  })
})

describe('a model that fails again and again', () => {
  const fail = () => expect(ask('only-first')).rejects.toMatchObject({ code: 'provider_failed' })

  it('pauses after three failures, is tried by one call afterwards, and pauses longer when that fails', async () => {
    first.usually({ fail: { status: 500 } })
    for (let turn = 0; turn < 3; turn++) await fail()
    await fail()
    expect(since()).toEqual([3, 0])

    clock.forward({ ms: 1100 })
    await fail()
    expect(since()).toEqual([4, 0])
    clock.forward({ ms: 1100 })
    await fail()
    expect(since()).toEqual([4, 0])

    clock.forward({ ms: 1100 })
    first.usually({})
    await ask('only-first')
    await ask('only-first')
    expect(since()).toEqual([6, 0])
  })

  it('lets a single call try while the others are turned away', async () => {
    first.usually({ fail: { status: 500 } })
    for (let turn = 0; turn < 3; turn++) await fail()
    clock.forward({ minutes: 1 })
    first.usually({})
    const outcomes = await Promise.allSettled([ask('only-first'), ask('only-first'), ask('only-first')])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(since()).toEqual([4, 0])
  })

  it('is tried again by the next call when the one that tried was abandoned by its caller', async () => {
    first.usually({ fail: { status: 500 } })
    for (let turn = 0; turn < 3; turn++) await fail()
    clock.forward({ minutes: 1 })
    first.script({ hangs: true })
    const caller = new AbortController()
    const abandoned = ask('only-first', {}, caller.signal)
    await first.call((before[0] ?? 0) + 4)
    caller.abort()
    await expect(abandoned).rejects.toThrow()
    first.usually({})
    await ask('only-first')
  })
})

describe('the other models of a connection', () => {
  const unavailable = async () => (await models.list(somebody)).filter((item) => item.unavailable).map(({ id }) => id)

  it('go on working while one of them fails and is paused', async () => {
    for (let turn = 0; turn < 3; turn++) {
      first.script({ fail: { status: 500 } })
      await expect(ask('only-first')).rejects.toMatchObject({ code: 'provider_failed' })
    }
    await expect(ask('only-first')).rejects.toThrow('several times in a row')
    await ask('shared')
    expect(since()).toEqual([4, 0])
    // One caller's failures say nothing to the others.
    expect(await unavailable()).toEqual([])
  })

  it('go on working while one of them fails for several callers, and is shown as unavailable', async () => {
    first.usually({ fail: { status: 500 } })
    const callers = [3, 4, 5].map((end) => ({ ...somebody, id: `01900000-0000-7000-8000-00000000000${end}` }))
    for (const caller of callers)
      await expect(askAs(caller, 'only-first')).rejects.toMatchObject({ code: 'provider_failed' })
    first.usually({})
    await expect(ask('only-first')).rejects.toThrow('several times in a row')
    await ask('shared')
    expect(since()).toEqual([4, 0])
    expect(await unavailable()).toEqual(['only-first'])
  })

  it.each([402, 403, 404, 410, 422])(
    'are not touched by any number of %i answers, nor is the model itself',
    async (status) => {
      first.usually({ fail: { status } })
      for (let turn = 0; turn < 5; turn++)
        await expect(ask('only-first')).rejects.toMatchObject({ code: 'provider_refused' })
      expect(since()).toEqual([5, 0])
      expect(await unavailable()).toEqual([])
    },
  )

  it('and the model itself stay available through rejected keys and rate limits', async () => {
    for (const [status, code] of [
      [401, 'provider_failed'],
      [429, 'provider_busy'],
    ] as const) {
      first.usually({ fail: { status } })
      for (let turn = 0; turn < 4; turn++) await expect(ask('only-first')).rejects.toMatchObject({ code })
    }
    expect(since()).toEqual([8, 0])
    expect(await unavailable()).toEqual([])
  })

  it('pause together once the server refuses connections', async () => {
    const gone = await startModelProvider({ models: ['one', 'two'] })
    const lonely = await testModels({ COMPAT_API_BASE_URLS: gone.url })
    await lonely.ask('one')
    await gone.close()
    // The first may still find the old connection open, which says nothing about the server.
    for (let turn = 0; turn < 4; turn++)
      await expect(lonely.ask('one')).rejects.toMatchObject({ code: 'provider_failed' })
    await expect(lonely.ask('two')).rejects.toThrow('several times in a row')
  })
})

describe('a probe that hangs', () => {
  it('keeps others away for five seconds only', async () => {
    first.usually({ fail: { status: 500 } })
    for (let turn = 0; turn < 3; turn++) await expect(ask('only-first')).rejects.toThrow()
    clock.forward({ minutes: 1 })
    first.script({ hangs: true })
    const caller = new AbortController()
    const hanging = ask('only-first', {}, caller.signal)
    await first.call((before[0] ?? 0) + 4)
    first.usually({})
    await expect(ask('only-first')).rejects.toThrow('several times in a row')
    clock.forward({ ms: 5000 })
    await ask('only-first')
    caller.abort()
    await expect(hanging).rejects.toThrow()
    await ask('only-first')
  })
})
