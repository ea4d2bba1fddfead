/** The events that a workflow can be tried with: those its triggers wait for. */
import { EventList, type ListedEvent } from '@chancery/contract/events.ts'
import type { Trigger } from '@chancery/contract/workflow-triggers.ts'
import { useQueries } from '@tanstack/react-query'
import { api, withQuery } from '#lib/api.ts'
import { useTriggers } from '../triggers/api.ts'

/** The event types that start the workflow. */
export const eventTypesOf = (triggers: readonly Trigger[]): string[] => [
  ...new Set(
    triggers.flatMap((trigger) => ('event_type' in trigger && trigger.event_type ? [trigger.event_type] : [])),
  ),
]

const newestFirst = (a: ListedEvent, b: ListedEvent) => b.published_at - a.published_at

/** The types, and the latest events of each. Undefined while the triggers load. */
export function useEventChoices(workflowId: string) {
  const triggers = useTriggers(workflowId)
  const types = triggers.data ? eventTypesOf(triggers.data.items) : undefined
  const lists = useQueries({
    queries: (types ?? []).map((event_type) => ({
      queryKey: ['events', 'recent', event_type],
      queryFn: () => api.get(withQuery('/api/v1/events', { event_type, limit: 10 }), EventList),
    })),
  })
  const isPending = triggers.isPending || lists.some((list) => list.isPending)
  const events = lists.flatMap(({ data }) => data?.data ?? []).toSorted(newestFirst)
  return { types: types ?? [], events: events.slice(0, 20), isPending }
}
