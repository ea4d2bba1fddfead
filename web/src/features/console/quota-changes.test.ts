import { expect, it } from 'vitest'
import { quotaChanges } from './quota-changes.ts'

const items = [
  { name: 'events', most: 50, source: 'scope' },
  { name: 'runs', most: 100, source: 'plan' },
  { name: 'seals', most: 10, source: 'default' },
] as const

it('sends only the limits that were changed; an emptied one is taken away', () => {
  expect(quotaChanges({ events: '50', runs: '', seals: ' ' }, items, 'scope')).toEqual({})
  expect(quotaChanges({ events: '', runs: '1,000', seals: '0' }, items, 'scope')).toEqual({
    events: null,
    runs: 1000,
    seals: 0,
  })
})

it("a plan's own limit is shown in the plan's form only", () => {
  expect(quotaChanges({ events: '', runs: '100', seals: '' }, items, 'plan')).toEqual({})
  expect(quotaChanges({ events: '', runs: 'many', seals: '' }, items, 'plan').runs).toBeNaN()
})
