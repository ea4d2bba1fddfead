/** Form of the wait node: for a duration, until a date, or until an event of the same process. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { Segmented } from '#ui/form/choices.tsx'
import { waitValues } from '../../completion/known-values.ts'
import { recentEvents } from '../../run-now/api.ts'
import { ConfigContext, textAt, useNodeConfig } from '../rows/config-context.ts'
import { yearSec } from '../rows/form-help.tsx'
import { ExpressionRow, LineRow } from '../rows/text-rows.tsx'
import { useDraft } from '../rows/use-draft.ts'
import { DurationRow } from '../rows/value-rows.tsx'

const kinds = [
  { value: 'seconds', label: 'Duration' },
  { value: 'until', label: 'Until a date' },
  { value: 'event_type', label: 'Until an event' },
] as const
type Kind = (typeof kinds)[number]['value']

const beginnings = { seconds: 60, until: '', event_type: '' }
const none = {
  seconds: undefined,
  until: undefined,
  event_type: undefined,
  filter_expr: undefined,
  deadline_sec: undefined,
}

export function WaitForm() {
  const { nodeId, config, change } = useNodeConfig()
  // Fields of the other kinds are removed, with anything typed into them.
  const drafts = [useDraft('config.seconds'), useDraft('config.deadline_sec')]
  const choose = (next: Kind) => {
    for (const { keep } of drafts) keep(undefined)
    change({ ...none, [next]: beginnings[next] })
  }
  const kind: Kind = config.event_type !== undefined ? 'event_type' : config.until !== undefined ? 'until' : 'seconds'
  return (
    <>
      <Segmented legend="Wait" name={`wait-${nodeId}`} value={kind} options={kinds} onChange={choose} />
      {kind === 'seconds' && <DurationRow name="seconds" label="Duration" maxSec={yearSec} />}
      {kind === 'until' && (
        <LineRow
          name="until"
          label="Date and time"
          isMono
          isRequired
          placeholder="{{ input.due_at }}"
          help="An ISO 8601 date or Unix milliseconds, usually from the state."
        />
      )}
      {kind === 'event_type' && (
        <>
          <LineRow name="event_type" label="Event type" isMono isRequired placeholder="payment_received" />
          <FilterRow eventType={textAt(config, 'event_type')} />
          <DurationRow
            name="deadline_sec"
            label="Deadline"
            isOptional
            maxSec={yearSec}
            help="If no event arrives in time, the run continues with “expired”."
          />
        </>
      )}
    </>
  )
}

/** Completes the fields of the event that is waited for, which is not the one that started the run. */
function FilterRow({ eventType }: { eventType: string }) {
  const node = useNodeConfig()
  const type = useDebounced(eventType)
  const { data } = useQuery({ ...recentEvents(type), enabled: type !== '', retry: false })
  const context = useMemo(() => ({ ...node, known: waitValues(data?.data ?? [], node.known) }), [node, data])
  return (
    <ConfigContext value={context}>
      <ExpressionRow
        name="filter_expr"
        label="Filter"
        isOptional
        placeholder={'payload["order_id"] == input["order_id"]'}
        help={
          <>
            A Python expression: <code>payload</code> and <code>event</code> are what arrives, <code>input</code> and{' '}
            <code>state</code> the run as it begins to wait. Only events with the run’s correlation ID count.
          </>
        }
      />
    </ConfigContext>
  )
}
