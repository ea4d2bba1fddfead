import { afterAll, describe, expect, it } from 'vitest'
import { createChildren } from '#kernel/child/index.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import { createPluginRuntime, type PluginRuntime } from '../runtime/index.ts'
import { createRunCode, mostCodeAtOnce } from './run-code.ts'

let now = Date.parse('2026-11-19T05:00:00Z')
const clock = { now: () => new Date(now) }

/** Says what it was sent. */
const sent: unknown[] = []
const runtime = {
  call: async (_code: unknown, { args }: { args: unknown[] }) => {
    sent.push(args[0])
    return { kind: 'value', value: { value: 'done' } }
  },
} as unknown as PluginRuntime
const runCode = createRunCode({ runtime, ids: systemIds, clock })
const run = (input: unknown) =>
  runCode({
    tenantId: 't',
    ownerId: 'o',
    code: 'return 1',
    args: { input },
    wallMs: 1000,
    signal: new AbortController().signal,
    onLog: () => undefined,
  })

it('code that would get more data than 8 MB is refused before the data is written anywhere', async () => {
  const half = 'x'.repeat(4 * 1024 * 1024)
  expect(await run([half, { of: [half] }])).toMatchObject({ kind: 'problem', reason: 'limit' })
  expect(sent).toEqual([])
  expect(await run(half)).toEqual({ kind: 'value', value: 'done' })
})

it('code gets integers of any size, and names that every object has', async () => {
  await run(JSON.parse('{"__proto__": {"a": [null, true]}, "n": 1}', (key, value) => (key === 'n' ? 2n ** 64n : value)))
  expect(JSON.stringify(sent.at(-1))).toBe('[{"__proto__":{"a":[null,true]},"n":"18446744073709551616"}]')
})

describe('code that is run once', () => {
  const log = createLog('silent')
  const children = createChildren({ log, metrics: createMetrics(log) })
  afterAll(() => children.stop())
  const runtime = createPluginRuntime({ children, entryCpuMs: 150, memoryMb: 24 })
  const logged: string[] = []
  const runOne = createRunCode({ runtime, ids: systemIds, clock })
  const runCode = (
    code: string,
    args: Record<string, unknown> = {},
    { tenantId = 'tenant', signal = new AbortController().signal, wallMs = 20_000 } = {},
  ) =>
    runOne({
      tenantId,
      ownerId: 'code',
      code,
      args,
      wallMs,
      signal,
      onLog: (line) => void logged.push(line),
    })

  it('gets its arguments by name, in TypeScript, and keeps nothing from the last time', async () => {
    const code =
      'globalThis.seen = (globalThis.seen ?? 0) + 1\nconst n: number = input.n\nconsole.log("n", n)\nreturn [n * 2, seen, input.long]'
    const args = { input: { n: 21, long: 18446744073709551616n } }
    expect(await runCode(code, args)).toEqual({ kind: 'value', value: [42, 1, '18446744073709551616'] })
    expect(await runCode(code, args)).toMatchObject({ value: [42, 1, '18446744073709551616'] })
    expect(logged).toEqual(['n 21', 'n 21'])
  })

  const problems: [string, string, object][] = [
    ['throws', 'const a = 1\nthrow new Error("no")', { reason: 'threw', message: 'no', line: 2 }],
    ['is not JavaScript', 'const a = 1\nconst = 2', { reason: 'syntax', line: 2 }],
    ['never ends', 'for (;;);', { reason: 'limit', message: 'The code used too much processor time.' }],
    ['uses too much memory', 'const all = []\nfor (;;) all.push("x".repeat(1e6) + all.length)', { reason: 'limit' }],
    [
      'asks for the network',
      'await fetch("https://example.test/")',
      { reason: 'threw', message: 'There is no network here.' },
    ],
  ]
  it.each(problems)('says why it failed when it %s, and where', async (_what, code, expected) => {
    expect(await runCode(code)).toMatchObject({ kind: 'problem', ...expected })
  })

  it('waits for its turn when many run at once, and each gets its own answer', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, (_, n) => runCode('return n * 2', { n })))
    expect(all).toEqual(all.map((_, n) => ({ kind: 'value', value: n * 2 })))
  })

  it('of others runs while that of one hangs inside the engine, and its processes are ended when it is given up', async () => {
    const others = createChildren({ log, metrics: createMetrics(log) })
    const runtime = createPluginRuntime({
      children: others,
      hostsOfOneCall: mostCodeAtOnce,
      memoryMb: 24,
      stuckMs: 120_000,
    })
    const runOne = createRunCode({ runtime, ids: systemIds, clock })
    const givingUp = new AbortController()
    const ended: string[] = []
    const runAs = async (tenantId: string, code: string, wallMs: number) => {
      const request = { tenantId, ownerId: tenantId, code, args: {}, wallMs, signal: givingUp.signal }
      const outcome = await runOne({ ...request, onLog: () => undefined })
      ended.push(tenantId)
      return outcome
    }
    const hang = 'return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)'
    const hanging = Array.from({ length: 6 }, () => runAs('attacker', hang, 120_000))
    const givenUp = Promise.allSettled(hanging)
    for (const tenant of ['ana', 'ben', 'ana'])
      expect(await runAs(tenant, 'return 1', 120_000)).toMatchObject({ value: 1 })
    expect(await runAs('carl', hang, 500)).toMatchObject({ kind: 'problem', reason: 'timeout' })
    expect(ended).toEqual(['ana', 'ben', 'ana', 'carl'])
    givingUp.abort(new Error('given up'))
    await givenUp
    // Only hosts that return are left.
    await expect.poll(() => runtime.size()).toBeLessThanOrEqual(1)
    await others.stop()
  })

  it('that hangs inside the engine until its process is ended ran into its time limit', async () => {
    const others = createChildren({ log, metrics: createMetrics(log) })
    const runtime = createPluginRuntime({ children: others, hostsOfOneCall: 1, memoryMb: 24, stuckMs: 300 })
    const hanging = createRunCode({ runtime, ids: systemIds, clock })({
      tenantId: 't',
      ownerId: 'o',
      code: 'return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)',
      args: {},
      wallMs: 120_000,
      signal: new AbortController().signal,
      onLog: () => undefined,
    })
    expect(await hanging).toMatchObject({ kind: 'problem', reason: 'timeout' })
    await others.stop()
  })

  it('of a tenant that ran into its time limit runs one at a time, for a minute', async () => {
    const late = 'tenant that is late'
    const sleep = 'await new Promise((wake) => setTimeout(wake, 600_000))'
    expect(await runCode(sleep, {}, { tenantId: late, wallMs: 300 })).toMatchObject({ reason: 'timeout' })
    const cancelling = new AbortController()
    const sleeping = runCode(sleep, {}, { tenantId: late, signal: cancelling.signal })
    const next = runCode('return 1', {}, { tenantId: late })
    expect(await Promise.race([next, runCode('return 2', {}, { tenantId: 'another' })])).toMatchObject({ value: 2 })
    now += 60_001
    // The next turn that ends looks again.
    expect(await runCode('return 3', {}, { tenantId: 'another' })).toMatchObject({ value: 3 })
    expect(await next).toMatchObject({ value: 1 })
    cancelling.abort(new Error('cancelled'))
    await expect(sleeping).rejects.toThrow('cancelled')
  })

  it('leaves room for other tenants while that of one sleeps, and ends at once when it is cancelled in the line', async () => {
    const cancelling = new AbortController()
    const sleeping = Array.from({ length: 20 }, () =>
      runCode('await new Promise((wake) => setTimeout(wake, 600_000))', {}, { signal: cancelling.signal }),
    )
    const ended = Promise.allSettled(sleeping)
    expect(await runCode('return 1', {}, { tenantId: 'another' })).toEqual({ kind: 'value', value: 1 })
    cancelling.abort(new Error('cancelled'))
    const reasons = (await ended).map((one) => (one.status === 'rejected' ? one.reason.message : one.value))
    expect(reasons).toEqual(Array(20).fill('cancelled'))
    expect(await runCode('return 2')).toEqual({ kind: 'value', value: 2 })
  })
})
