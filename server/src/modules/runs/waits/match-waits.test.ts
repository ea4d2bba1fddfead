/** Which event each waiting node takes, and what is asked of the evaluating thread to find out. */

import { compileExpression } from '@chancery/expression'
import { expect, it } from 'vitest'
import type { Expressions, TestVerdict } from '#kernel/expressions/expressions.ts'
import type { StoredEvent } from '#modules/event-bus/index.ts'
import { keepForFilter } from './filter-values.ts'
import { findFirstMatches } from './match-waits.ts'

const eventOf = (order: number, filler: number): StoredEvent => ({
  eventId: `event-${order}`,
  seq: order,
  scopeId: 'scope',
  eventType: 'order_paid',
  correlationId: `order-${order}`,
  source: 'shop',
  userId: null,
  payload: { order, filler: 'x'.repeat(filler) },
  publishedAt: new Date(0),
  hop: 0,
  chain: [],
  rootEventId: `event-${order}`,
  causationRunId: null,
})

/** Evaluates on this thread, and notes how large each request is. */
const countingExpressions = () => {
  const requests: { cases: number; length: number }[] = []
  const test: Expressions['test'] = async ({ names, groups }) => {
    const json = groups.map(({ values }) => JSON.stringify(values))
    const cases = groups.reduce((sum, { texts }) => sum + texts.length, 0)
    requests.push({ cases, length: json.reduce((sum, { length }) => sum + length, 0) })
    return groups.flatMap(({ texts }, index) =>
      texts.map((text): TestVerdict => ({ holds: compileExpression(text, names).test(JSON.parse(json[index] ?? '')) })),
    )
  }
  return { requests, test }
}

const events = Array.from({ length: 50 }, (_, order) => eventOf(order, 20_000))

it('many waits that compare a batch of large events with their runs are tested in small requests', async () => {
  const { requests, test } = countingExpressions()
  const filterExpr = 'payload["order"] == input["order"] and event["source"] == "shop"'
  const waits = Array.from({ length: 100 }, (_, order) => ({
    scopeId: 'scope',
    filterExpr,
    filterValues: { input: { order } },
    events,
  }))
  let renewals = 0
  const matches = await findFirstMatches(test, waits, async () => {
    renewals += 1
  })
  expect(matches.map(({ event }) => event)).toEqual(waits.map((_, order) => events[order]))
  for (const { cases, length } of requests) {
    expect(cases).toBeLessThanOrEqual(1000)
    expect(length).toBeLessThanOrEqual(200_000)
  }
  expect([requests.length, renewals]).toEqual([5, 4])
})

it('filters that may read all of an event are cut by its length, whether they read the run or not', async () => {
  const { requests, test } = countingExpressions()
  const matches = await findFirstMatches(test, [
    {
      scopeId: 'scope',
      filterExpr: 'str(payload).startswith(str({"order": 49}).rstrip("}"))',
      filterValues: null,
      events,
    },
    {
      scopeId: 'scope',
      filterExpr: 'len(payload) == input["size"]',
      filterValues: { input: { size: 2 } },
      events: events.slice(7),
    },
    { scopeId: 'scope', filterExpr: 'len(payload) == input["size"]', filterValues: { input: { size: 3 } }, events },
    { scopeId: 'scope', filterExpr: null, filterValues: null, events },
  ])
  expect(matches.map(({ event }) => event?.seq)).toEqual([49, 7, undefined, 0])
  expect(requests.length).toBeGreaterThan(2)
  for (const { length } of requests) expect(length).toBeLessThanOrEqual(1_048_576)
})

it('of a large input only the field that the filter reads is kept, also where it is missing', () => {
  const input = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`field_with_number_${n}`, n]))
  const filter = 'input.get("coupon") == payload["coupon"]'
  expect(keepForFilter(filter, { input, state: {} })).toEqual({ input: {} })
  expect(keepForFilter(filter, { input: { ...input, coupon: 'A' }, state: {} })).toEqual({ input: { coupon: 'A' } })
  // The error can suggest `order`.
  const few = { order: 7, ['x'.repeat(40_000)]: 1 }
  expect(keepForFilter('input["ordr"] == 1', { input: few, state: {} })).toEqual({ input: { order: null } })
})
