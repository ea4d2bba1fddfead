/** Evaluation on threads of its own: batches, limits from outside, and what is left when a thread is ended. */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createExpressions } from './expressions.ts'
import { createJobQueue } from './job-queue.ts'
import { createWorkerThread } from './worker-thread.ts'

const warnings: object[] = []
const log = { warn: (details: object) => void warnings.push(details) }
const expressions = createExpressions(log as never)
const marker = join(tmpdir(), `slow-once-${process.pid}`)
afterAll(async () => {
  await expressions.stop()
  await rm(marker, { force: true })
})

const names = ['payload']

describe('expressions', () => {
  it('are tested in batches, each text on the values of its group', async () => {
    const groups = [
      { values: [{ n: 1 }], texts: ['payload["n"] == 1', 'payload["n"] == 2', 'payload["missing"]'] },
      { values: [{ n: 2 }], texts: ['payload["n"] == 1', 'payload["n"] == 2'] },
      { values: [{ n: 3 }], texts: [] },
    ]
    expect(await expressions.test({ names, groups })).toEqual([
      { holds: true },
      { holds: false },
      { error: { kind: 'KeyError', message: "KeyError: 'missing'" } },
      { holds: false },
      { holds: true },
    ])
  })

  it('yield JSON, or reject with the error of the first that failed', async () => {
    const values = [{ n: 2 }]
    expect(await expressions.evaluateAll({ names, values, texts: ['payload["n"] / 2', '(1, {"a": None})'] })).toEqual([
      1,
      [1, { a: null }],
    ])
    const failing = expressions.evaluateAll({ names, values, texts: ['1', '1 / 0', 'payload["x"]'] })
    await expect(failing).rejects.toMatchObject({ name: 'ExpressionError', kind: 'ZeroDivisionError' })
  })

  it('of many callers at once are each answered with their own results', async () => {
    const asked = Array.from({ length: 40 }, (_, n) => {
      const other = ['n']
      if (n % 4 === 0) return expressions.test({ names, groups: [{ values: [{ n }], texts: ['payload["n"]'] }] })
      if (n % 4 === 1) return expressions.evaluateAll({ names: other, values: [n], texts: ['n * 2', 'n'] })
      return expressions.evaluateAll({ names, values: [{ n }], texts: n % 4 === 2 ? ['payload["n"]'] : ['1 // 0'] })
    })
    for (const [n, result] of (await Promise.allSettled(asked)).entries())
      if (n % 4 === 3) expect(result).toMatchObject({ reason: { kind: 'ZeroDivisionError' } })
      else expect(result).toMatchObject({ value: [[{ holds: n > 0 }], [n * 2, n], [n]][n % 4] })
  })

  it('that are asked for at the same moment share a job, up to its size', async () => {
    const jobs: number[] = []
    const ask = createJobQueue(async (cases) => {
      jobs.push(cases.length)
      return cases.map(({ text }) => ({ value: text }))
    })
    const small = Array.from({ length: 10 }, (_, n) =>
      ask({ kind: 'evaluate', names, groups: [{ values: [], texts: [`${n}`] }] }),
    )
    expect(await Promise.all(small)).toEqual(small.map((_, n) => [{ value: `${n}` }]))
    expect(jobs.splice(0)).toEqual([10])
    const large = { values: ['x'.repeat(600_000)], texts: ['1', '2'] }
    await Promise.all(Array.from({ length: 5 }, () => ask({ kind: 'test', names, groups: [large] })))
    expect(jobs).toEqual([4, 4, 2])
  })

  it('of another release that do not compile any more fail for themselves', async () => {
    const verdicts = await expressions.test({ names, groups: [{ values: [{}], texts: ['True', 'import os', '1'] }] })
    expect(verdicts).toEqual([
      { holds: true },
      { error: { kind: 'ValueError', message: expect.stringContaining('no statements') } },
      { holds: true },
    ])
  })

  it.each([
    '[] * 10**400',
    '"" * 10**400',
    'range(10**400, 10**400)',
    'round(1.5, -2000000000)',
    'round(10, -2000000000)',
    '[x for x in range(10**400, 10**400 + 10**9)]',
    '{(((((((((((((((((((((((("a",),),),),),),),),),),),),),),),),),),),),),),),): 1}',
    '"x".split(None, 10**400)',
    '[1][10**400:]',
    '[1, 2][::10**400]',
  ])('end by themselves, whatever the size of a number: %s', async (text) => {
    const before = warnings.length
    const [verdict] = await expressions.test({ names, groups: [{ values: [{}], texts: [text] }] })
    expect(verdict).toBeDefined()
    expect(verdict).not.toMatchObject({ error: { kind: 'InternalError' } })
    expect(warnings.slice(before)).toEqual([])
  })
})

describe('a thread that must be ended', () => {
  const program = new URL('../../../test/kernel/misbehaving-expressions.ts', import.meta.url)
  /** Less patient and with less memory than in production, so that nothing burns a second before it is ended. */
  const startThread = () => createWorkerThread({ log: log as never, program, checkEveryMs: 10, memoryMb: 64 })
  const run = async (texts: string[]) => {
    const thread = startThread()
    const groups = [{ values: [{}], texts }]
    const verdicts = await thread.run({ kind: 'test', names, groups })
    const later = await thread.run({ kind: 'test', names, groups: [{ values: [{}], texts: ['True'] }] })
    await thread.stop()
    return { verdicts, later }
  }

  it.each([
    ['endless loop', 'took too long'],
    ['endless memory', 'the evaluation'],
    ['exit', 'ended unexpectedly'],
  ])('costs only the expression that did it: %s', async (text, message) => {
    const { verdicts, later } = await run(['True', '1 / 0', text, 'False', 'True'])
    expect(verdicts).toEqual([
      { holds: true },
      { error: { kind: 'ZeroDivisionError', message: expect.any(String) } },
      { error: { kind: 'InternalError', message: expect.stringContaining(message) } },
      { holds: false },
      { holds: true },
    ])
    expect(later).toEqual([{ holds: true }])
  })

  it('answers the callers who share its job with the one that did it', async () => {
    const thread = startThread()
    const ask = (text: string) => thread.run({ kind: 'test', names, groups: [{ values: [{}], texts: [text] }] })
    const verdicts = await Promise.all(['True', 'exit', 'False'].map(ask))
    await thread.stop()
    expect(verdicts).toEqual([[{ holds: true }], [{ error: expect.anything() }], [{ holds: false }]])
  })

  it('is given a second chance, in case the machine was at fault', async () => {
    const { verdicts } = await run(['slow once', 'False'])
    expect(verdicts).toEqual([{ holds: true }, { holds: false }])
  })

  it('leaves nothing waiting after a stop', async () => {
    const thread = startThread()
    const running = thread.run({ kind: 'test', names, groups: [{ values: [{}], texts: ['endless loop'] }] })
    const waiting = thread.run({ kind: 'test', names, groups: [{ values: [{}], texts: ['True'] }] })
    const ended = Promise.allSettled([running, waiting])
    await thread.stop()
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
