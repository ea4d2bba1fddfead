import { describe, expect, it } from 'vitest'
import { nilId } from '#kernel/ids.ts'
import type { Payer, Use } from '#kernel/meter.ts'
import { createPendingUsage } from './pending-usage.ts'

const ada: Payer = { kind: 'user', id: 'ada', organizationId: 'acme', credential: { kind: 'key', id: 'key-1' } }
const use = (more: Partial<Use> = {}): Use => ({
  model: 'swift',
  promptTokens: 10,
  completionTokens: 5,
  failed: false,
  ...more,
})

describe('usage that is not written yet', () => {
  it('is one entry for all calls of one key, model and day', () => {
    const pending = createPendingUsage()
    pending.add(ada, use(), '2026-01-31')
    pending.add(ada, use({ failed: true, completionTokens: 0 }), '2026-01-31')
    expect(pending.take()).toEqual([
      {
        day: '2026-01-31',
        principalKind: 'user',
        principalId: 'ada',
        organizationId: 'acme',
        keyId: 'key-1',
        model: 'swift',
        requests: 2,
        failures: 1,
        promptTokens: 20,
        completionTokens: 5,
      },
    ])
    expect(pending.take()).toEqual([])
  })

  it('keeps callers, organizations, keys, models and days apart', () => {
    const pending = createPendingUsage()
    const others: Payer[] = [
      ada,
      { ...ada, id: 'ben' },
      { ...ada, organizationId: null },
      { ...ada, credential: { kind: 'key', id: 'key-2' } },
      { ...ada, credential: { kind: 'session', id: 'key-1' } },
    ]
    for (const payer of others) pending.add(payer, use(), '2026-01-31')
    pending.add(ada, use({ model: 'deep' }), '2026-01-31')
    pending.add(ada, use(), '2026-02-01')
    const entries = [...pending.entries()]
    expect(entries).toHaveLength(7)
    expect(entries.every(({ requests }) => requests === 1)).toBe(true)
    expect(entries.filter(({ keyId }) => keyId === nilId)).toHaveLength(1)
  })

  it('is added to what came meanwhile when it could not be written', () => {
    const pending = createPendingUsage()
    pending.add(ada, use(), '2026-01-31')
    const taken = pending.take()
    pending.add(ada, use(), '2026-01-31')
    pending.putBack(taken)
    expect(pending.take()).toMatchObject([{ requests: 2, promptTokens: 20 }])
  })

  it('holds only what the database can store, whatever a provider reports', () => {
    const pending = createPendingUsage()
    pending.add(ada, use({ model: `${'x'.repeat(400)}` }), '2026-01-31')
    pending.add(ada, use({ model: 'a\0b\ud800', promptTokens: Number.NaN, completionTokens: -1 }), '2026-01-31')
    pending.add(ada, use({ model: 'ab\ufffd', promptTokens: 1e300 }), '2026-01-31')
    expect(pending.take()).toMatchObject([
      { model: 'x'.repeat(300) },
      { model: 'ab\ufffd', requests: 2, promptTokens: 1e12, completionTokens: 5 },
    ])
  })
})
