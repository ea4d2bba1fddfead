/** The choice in the run form, and the event it stands for. Pure. */
import type { ListedEvent } from '@chancery/contract/workflows/events.ts'
import { writeJson } from '../json-text.ts'

export interface EventDraft {
  /** An event's ID, `sample:` and a type, or `input`. */
  choice: string
  payload: string
}

export const inputChoice = 'input'
export const sampleKey = (type: string) => `sample:${type}`

/** The event to send; undefined for an input. */
export function eventOf({ choice }: EventDraft, payload: unknown, events: readonly ListedEvent[]) {
  if (choice === inputChoice) return undefined
  const event = events.find(({ event_id }) => event_id === choice)
  if (!event) return { event_type: choice.slice(sampleKey('').length), payload }
  const { event_type, correlation_id, source } = event
  return { event_type, correlation_id, source, payload }
}

/** The newest event if there is one. */
export const firstDraft = (types: readonly string[], [newest]: readonly ListedEvent[]): EventDraft =>
  newest ? draftOf(newest) : { choice: sampleKey(types[0] ?? ''), payload: '{}' }

export const draftOf = (event: ListedEvent): EventDraft => ({
  choice: event.event_id,
  payload: writeJson(event.payload),
})
