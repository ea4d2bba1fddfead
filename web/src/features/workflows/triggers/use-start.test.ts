import type { Trigger } from '@chancery/contract/workflows/triggers.ts'
import { describe, expect, it } from 'vitest'
import { startOf } from './use-start.ts'

const common = { id: 't', workflow_id: 'w', name: 'T', enabled: true, catalog_id: null, space_id: null, created_at: 0 }
const event = (more: object = {}) =>
  ({
    ...common,
    kind: 'event',
    event_type: 'order_created',
    filter_expr: 'payload["total"] > 1',
    paused_at: null,
    paused_reason: null,
    ...more,
  }) as Trigger
const cron = { ...common, kind: 'cron', cron: '0 9 * * *', timezone: 'America/New_York', next_times: [] } as unknown

describe('the triggers on the Start node', () => {
  it('say what they listen for', () => {
    const webhook = event({ kind: 'webhook', event_type: 'webhook_received' })
    const { summary, rows } = startOf([event(), cron as Trigger, webhook], true)
    expect(summary).toBe('3 triggers')
    expect(rows.map(({ text, detail }) => [text, detail])).toEqual([
      ['On order_created', 'payload["total"] > 1'],
      [expect.stringContaining('9'), 'America/New York'],
      ['On a webhook', 'publishes webhook_received'],
    ])
  })

  it('say whether they start runs now', () => {
    const statusOf = (more: object, fires: boolean) => startOf([event(more)], fires).rows[0]?.status
    expect(statusOf({}, true)).toBe('Active')
    expect(statusOf({}, false)).toBe('Active once published')
    expect(statusOf({ paused_at: 1 }, true)).toBe('Paused')
    expect(statusOf({ paused_at: 1, enabled: false }, true)).toBe('Off')
    expect(startOf([], true).summary).toBe('No triggers, run manually')
  })
})
