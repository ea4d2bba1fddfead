import type { ListedEvent } from '@chancery/contract/workflows/events.ts'
import { describe, expect, it } from 'vitest'
import { maxHeld, maxShown, startBuffer, streamStart, withArrived, withHeld, withOlder } from './tail-buffer.ts'

const event = (seq: number): ListedEvent => ({
  event_id: `00000000-0000-7000-8000-${String(seq).padStart(12, '0')}`,
  event_type: 'order_created',
  seq,
  source: 'api',
  correlation_id: 'c',
  user_id: null,
  payload: {},
  published_at: seq,
  causation_run_id: null,
})
/** From the newer to the older sequence number, inclusive. */
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => event(from - index))
const seqs = (events: readonly ListedEvent[]) => events.map(({ seq }) => seq)

describe("the explorer's event list", () => {
  it('shows events immediately while following, ordered by sequence number, each once', () => {
    let buffer = startBuffer({ data: range(5, 4), next_cursor: '4' })
    buffer = withArrived(buffer, [event(8), event(5)], true)
    buffer = withArrived(buffer, [event(7)], true)
    expect(seqs(buffer.shown)).toEqual([8, 7, 5, 4])
    expect(buffer.heldCount).toBe(0)
  })

  it('holds events while the reader looks elsewhere, and counts them', () => {
    let buffer = startBuffer({ data: range(5, 5), next_cursor: null })
    buffer = withArrived(buffer, [event(6)], false)
    buffer = withArrived(buffer, [event(6), event(7)], false)
    expect(buffer).toMatchObject({ heldCount: 2, shown: [{ seq: 5 }] })
    expect(seqs(withHeld(buffer).shown)).toEqual([7, 6, 5])
  })

  it('shows held events before new ones', () => {
    let buffer = withArrived(startBuffer({ data: [], next_cursor: null }), [event(1)], false)
    buffer = withArrived(buffer, [event(2)], true)
    expect(seqs(buffer.shown)).toEqual([2, 1])
  })

  it('restarts from the latest if more arrived than can be held, and can still load older ones without a gap', () => {
    let buffer = startBuffer({ data: range(10, 1), next_cursor: null })
    buffer = withArrived(buffer, range(10 + maxHeld + 5, 11), false)
    expect(buffer.heldCount).toBe(maxHeld + 5)
    buffer = withHeld(buffer)
    expect(buffer).toMatchObject({ heldCount: 0, older: '16' })
    buffer = withOlder(buffer, { data: range(15, 1), next_cursor: null })
    expect(seqs(buffer.shown)).toEqual(seqs(range(10 + maxHeld + 5, 1)))
  })

  it('is limited at its old end and continues loading from there', () => {
    const buffer = withArrived(startBuffer({ data: range(maxShown, 1), next_cursor: null }), [event(9999)], true)
    expect(buffer.shown).toHaveLength(maxShown)
    expect(buffer.older).toBe('2')
  })

  it('asks the stream for some overlap, because events can become visible out of order', () => {
    expect(streamStart(startBuffer({ data: range(100, 51), next_cursor: '51' }))).toBe(80)
    expect(streamStart(startBuffer({ data: range(3, 2), next_cursor: null }))).toBe(1)
    expect(streamStart(startBuffer({ data: [], next_cursor: null }))).toBe(0)
  })
})
