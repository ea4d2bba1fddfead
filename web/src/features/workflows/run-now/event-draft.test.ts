import { describe, expect, it } from 'vitest'
import { eventOf, firstDraft, inputChoice } from './event-draft.ts'

const event = {
  event_id: 'e1',
  event_type: 'order_placed',
  source: 'shop',
  correlation_id: 'o-1',
  user_id: null,
  payload: { total: 21 },
  published_at: 0,
  seq: 1,
  causation_run_id: null,
}
const events = [event]

describe('what a run by hand starts with', () => {
  it('is the newest event, with its payload to be changed', () => {
    const draft = firstDraft(['order_placed'], events)
    expect(draft).toEqual({ choice: 'e1', payload: '{\n  "total": 21\n}' })
    expect(eventOf(draft, { total: 1 }, events)).toEqual({
      event_type: 'order_placed',
      source: 'shop',
      correlation_id: 'o-1',
      payload: { total: 1 },
    })
  })

  it('is a sample of the trigger’s type where no event came yet', () => {
    const draft = firstDraft(['order_placed', 'order_paid'], [])
    expect(eventOf(draft, {}, [])).toEqual({ event_type: 'order_placed', payload: {} })
  })

  it('is no event for an input', () => {
    expect(eventOf({ choice: inputChoice, payload: '1' }, 1, events)).toBeUndefined()
  })
})
