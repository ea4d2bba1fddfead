/** The engine that ships with the installation, with its real model, in its real child. */
import { afterAll, describe, expect, it } from 'vitest'
import { createChildren } from '#kernel/child/index.ts'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import { createLocalEngine, isLocalInstalled } from './local-engine.ts'

const log = createLog('silent')
const children = createChildren({ log, metrics: createMetrics(log) })
afterAll(() => children.stop())

describe.skipIf(!isLocalInstalled())('the local engine', () => {
  it('finds what means the same in other words, in vectors of length 1', { timeout: 120_000 }, async () => {
    const engine = createLocalEngine(children)
    const { signal } = new AbortController()
    const payer = { kind: 'user', id: 'nobody', organizationId: null } as const
    const texts = ['The physician examined the sick child.', 'The stock market fell sharply today.']
    const [about, other] = await engine.embed(texts, { payer, signal })
    const [question] = await engine.embed(['Which doctor saw a patient?'], { payer, signal, isQuestion: true })
    const dot = (one: Float32Array = new Float32Array(), two: Float32Array = new Float32Array()) =>
      one.reduce((sum, value, at) => sum + value * (two[at] ?? 0), 0)
    expect(about).toHaveLength(384)
    expect(dot(about, about)).toBeCloseTo(1)
    expect(dot(question, about)).toBeGreaterThan(dot(question, other) + 0.2)
  })
})
