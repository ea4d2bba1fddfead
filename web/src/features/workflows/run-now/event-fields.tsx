/** Chooses what a run starts with: a recent event, a sample, or an input. The payload can be changed before the run. */
import type { ListedEvent } from '@chancery/contract/workflows/events.ts'
import { formatRelative } from '#lib/time/times.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, TextArea } from '#ui/form/inputs.tsx'
import { draftOf, type EventDraft, inputChoice, sampleKey } from './event-draft.ts'

const labelOf = ({ event_type, correlation_id, published_at }: ListedEvent) =>
  `${event_type} · ${formatRelative(new Date(published_at), new Date())} · ${correlation_id}`

export const inputHelp = 'JSON for the first node. Later nodes can read it as state["input"].'

export interface EventFieldsProps {
  types: readonly string[]
  events: readonly ListedEvent[]
  draft: EventDraft
  problem: string | undefined
  onChange: (draft: EventDraft) => void
}

export function EventFields({ types, events, draft, problem, onChange }: EventFieldsProps) {
  const choose = (choice: string) => {
    const event = events.find(({ event_id }) => event_id === choice)
    onChange(event ? draftOf(event) : { choice, payload: draft.payload || '{}' })
  }
  return (
    <>
      <Field label="Event" name="event" help="The run gets a copy. Nothing is published.">
        <Select value={draft.choice} onChange={(event) => choose(event.target.value)}>
          {events.length > 0 && (
            <optgroup label="Recent events">
              {events.map((event) => (
                <option key={event.event_id} value={event.event_id}>
                  {labelOf(event)}
                </option>
              ))}
            </optgroup>
          )}
          <optgroup label="Other">
            {types.map((type) => (
              <option key={type} value={sampleKey(type)}>
                {type} with your own payload
              </option>
            ))}
            <option value={inputChoice}>An input instead of an event</option>
          </optgroup>
        </Select>
      </Field>
      <Field
        label={draft.choice === inputChoice ? 'Input' : 'Payload'}
        name="payload"
        problem={problem}
        help={draft.choice === inputChoice ? inputHelp : 'JSON. Nodes read it as payload.'}
      >
        <TextArea
          rows={8}
          spellCheck={false}
          value={draft.payload}
          onChange={(event) => onChange({ ...draft, payload: event.target.value })}
          className="font-mono"
        />
      </Field>
    </>
  )
}
