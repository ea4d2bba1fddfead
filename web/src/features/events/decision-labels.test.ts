import { Decision } from '@chancery/contract/workflows/events.ts'
import { describe, expect, it } from 'vitest'
import { becauseOf, decisionLabels, formatClock, outcomeLabel, sourceLabel } from './decision-labels.ts'

describe('decisions in words', () => {
  it('has a sentence for every decision', () => {
    for (const decision of Decision.options) expect(decisionLabels[decision].because).toMatch(/^[A-Z].*\.$/)
  })

  it("prefers the server's own reason", () => {
    expect(becauseOf({ decision: 'filter_error', reason: "KeyError: 'amount'" })).toBe("KeyError: 'amount'")
    expect(becauseOf({ decision: 'filter_false', reason: null })).toBe('The event didn’t match the filter.')
  })

  it('says what became of an event, with the number of runs', () => {
    const label = (outcome: 'started' | 'failed' | 'waiting', runs = 0, failed_runs = 0) =>
      outcomeLabel({ event_id: '', outcome, runs, failed_runs, active_runs: 0 }).label
    expect(label('started', 1)).toBe('1 run started')
    expect(label('failed', 3, 1)).toBe('1 of 3 runs failed')
    expect(label('failed', 1, 1)).toBe('1 run failed')
    expect([label('failed'), label('waiting')]).toEqual(['Failed', 'Waiting'])
  })

  it("does not show a workflow's ID as the source", () => {
    expect(sourceLabel('crm')).toBe('crm')
    expect(sourceLabel('workflow:01900000-0000-7000-8000-000000000001')).toBe('a workflow')
  })

  it("shows today's times to the millisecond, and the date for older ones", () => {
    const now = new Date(2026, 10, 15, 12)
    expect(formatClock(new Date(2026, 10, 15, 9, 5, 7, 42).getTime(), now)).toBe('09:05:07.042')
    expect(formatClock(new Date(2026, 10, 14, 9, 5, 7).getTime(), now)).toBe('14 Nov 09:05:07')
  })
})
