import { describe, expect, it } from 'vitest'
import { isReadOnly, trialOf } from './trial.ts'

const now = new Date('2026-03-10T12:00:00Z')
const limits = { members: 5, documentsPerMonth: 5, storageBytes: 5 }

describe('a trial', () => {
  it('counts a started day as a day left', () => {
    expect(trialOf({ name: 'TRIAL', trialEndsAt: '2026-03-11T13:00:00Z' }, now)).toEqual({
      state: 'running',
      daysLeft: 2,
    })
    expect(trialOf({ name: 'TRIAL', trialEndsAt: '2026-03-10T12:00:01Z' }, now)).toEqual({
      state: 'running',
      daysLeft: 1,
    })
  })

  it('ends at its last moment, and the organization becomes read-only', () => {
    const plan = { name: 'TRIAL', trialEndsAt: '2026-03-10T12:00:00Z', limits }
    expect(trialOf(plan, now)).toEqual({ state: 'ended' })
    expect(isReadOnly({ plan }, now)).toBe(true)
  })

  it("doesn't apply to other plans, or to one without an end", () => {
    expect(trialOf({ name: 'TEAM', trialEndsAt: '2020-01-01T00:00:00Z' }, now)).toEqual({ state: 'none' })
    expect(trialOf({ name: 'TRIAL', trialEndsAt: null }, now)).toEqual({ state: 'none' })
  })
})
