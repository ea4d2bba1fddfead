/** What is computed on foreign data never holds up anybody but whose data it is. */
import { afterAll, describe, expect, it } from 'vitest'
import type { compute as misbehave } from '../../../test/kernel/compute/misbehaving.computation.ts'
import type { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics/index.ts'
import { createCompute, defineComputation } from './index.ts'

const misbehaving = defineComputation<typeof misbehave>({
  name: 'misbehaving',
  module: new URL('../../../test/kernel/compute/misbehaving.computation.ts', import.meta.url),
  deadlineMs: 400,
  maxInputBytes: 100_000,
  maxOutputBytes: 100_000,
})

const metrics = createMetrics(createLog('silent'))
/** Two threads, so that one owner has at most one. */
const computing = createCompute(
  { log: { warn: () => undefined }, metrics },
  { threads: 2, memoryMb: 48, maxWaitingPerOwner: 20 },
)
const { compute } = computing
afterAll(() => computing.stop())

const ana = { owner: 'ana' }
const bob = { owner: 'bob' }

/** Computations that go on until the test lets them. */
const createGate = () => {
  const gate = new SharedArrayBuffer(4)
  const open = (): void => {
    Atomics.store(new Int32Array(gate), 0, 1)
    Atomics.notify(new Int32Array(gate), 0)
  }
  return { wait: { do: 'wait', gate } as const, open }
}

describe('a computation', () => {
  it('answers with its result, bytes and all', async () => {
    const value = { text: 'x', list: [1, null], bytes: new Uint8Array([1, 2]) }
    expect(await compute(misbehaving, { do: 'echo', value }, ana)).toEqual(value)
  })

  it.each([
    ['loop', { code: 'computation_too_long' }],
    ['backtrack', { code: 'computation_too_long' }],
    ['fill memory', { code: 'computation_too_large' }],
    ['exit', { message: 'The thread of the computation misbehaving ended unexpectedly.' }],
    ['refuse', { code: 'invalid_request', message: 'Not like this.' }],
    ['break', { message: 'The computation misbehaving failed: TypeError: broken' }],
  ] as const)('that does this is ended, and the next finds a thread: %s', async (ask, problem) => {
    const [bad, good] = await Promise.allSettled([
      compute(misbehaving, { do: ask }, ask === 'fill memory' ? { ...ana, deadlineMs: 60_000 } : ana),
      compute(misbehaving, { do: 'echo', value: ask }, ana),
    ])
    expect(bad).toMatchObject({ status: 'rejected', reason: problem })
    expect(good).toEqual({ status: 'fulfilled', value: ask })
  })

  it('refuses what is too large before it is sent, and a result that is too large', async () => {
    const large = compute(misbehaving, { do: 'echo', value: 'x'.repeat(100_001) }, ana)
    await expect(large).rejects.toMatchObject({ code: 'computation_too_large', status: 422 })
    const many = compute(misbehaving, { do: 'echo', value: Array.from({ length: 20_000 }, () => 0) }, ana)
    await expect(many).rejects.toMatchObject({ code: 'computation_too_large' })
    const result = compute(misbehaving, { do: 'repeat', times: 100_001 }, ana)
    await expect(result).rejects.toMatchObject({ code: 'computation_too_large' })
    const unsendable = compute(misbehaving, { do: 'echo', value: () => 0 }, ana)
    await expect(unsendable).rejects.toThrow('could not be cloned')
    expect(await compute(misbehaving, { do: 'echo', value: 1 }, ana)).toBe(1)
  })
})

describe('owners', () => {
  it('take turns: the last to ask waits for nobody with a hundred computations', async () => {
    const order: string[] = []
    const gate = createGate()
    const first = compute(misbehaving, gate.wait, ana)
    const rest = Array.from({ length: 5 }, (_, n) =>
      compute(misbehaving, { do: 'echo', value: n }, ana).then((value) => order.push(`ana ${value}`)),
    )
    await compute(misbehaving, { do: 'echo', value: 0 }, bob).then(() => order.push('bob'))
    expect(order).toEqual(['bob'])
    gate.open()
    await Promise.all([first, ...rest])
    expect(order).toHaveLength(6)
  })

  it('have a bound on what waits, and only they are refused', async () => {
    const gate = createGate()
    const first = compute(misbehaving, gate.wait, { ...ana, deadlineMs: 60_000 })
    const order: string[] = []
    const asked = Array.from({ length: 22 }, () =>
      compute(misbehaving, { do: 'echo', value: 1 }, ana).then(
        () => order.push('ana'),
        ({ status, code }: AppError) => order.push(`${status} ${code}`),
      ),
    )
    await compute(misbehaving, { do: 'echo', value: 1 }, bob).then(() => order.push('bob'))
    expect(order).toEqual(['429 too_many_requests', '429 too_many_requests', 'bob'])
    gate.open()
    expect(await first).toBe('opened')
    await Promise.all(asked)
  })

  it('who leave are not waited for', async () => {
    const gate = createGate()
    const first = compute(misbehaving, gate.wait, { ...ana, deadlineMs: 60_000 })
    const leaving = new AbortController()
    const waiting = compute(misbehaving, { do: 'echo', value: 1 }, { ...ana, signal: leaving.signal })
    leaving.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    gate.open()
    await first
    const { text } = await metrics.write()
    expect(text).toContain('chancery_computations{state="waiting"} 0')
    expect(text).toMatch(/chancery_computations_total\{computation="misbehaving",outcome="deadline"\} 2/)
  })
})

it('ends with the server', async () => {
  const other = createCompute({ log: { warn: () => undefined }, metrics: createMetrics(createLog('silent')) })
  const running = other.compute(misbehaving, { do: 'loop' }, { ...ana, deadlineMs: 600_000 })
  const waiting = Array.from({ length: 3 }, () => other.compute(misbehaving, { do: 'loop' }, ana))
  const ended = Promise.allSettled([running, ...waiting])
  await other.stop()
  for (const one of await ended) expect(one).toMatchObject({ reason: { code: 'not_ready' } })
  await expect(other.compute(misbehaving, { do: 'loop' }, ana)).rejects.toMatchObject({ code: 'not_ready' })
})
