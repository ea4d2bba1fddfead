/** The events that a workflow can be tried with: those its triggers wait for. */
import type { EventList, ListedEvent } from '@chancery/contract/workflows/events.ts'
import type { Trigger } from '@chancery/contract/workflows/triggers.ts'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import type { z } from 'zod'
import { useTriggers } from '../triggers/api.ts'
import { recentEvents } from './api.ts'

/** The event types that start the workflow. */
export const eventTypesOf = (triggers: readonly Trigger[]): string[] => [
  ...new Set(
    triggers.flatMap((trigger) => ('event_type' in trigger && trigger.event_type ? [trigger.event_type] : [])),
  ),
]

const newestFirst = (a: ListedEvent, b: ListedEvent) => b.published_at - a.published_at

/** Outside of the component, so that the result stays the same until an answer changes. */
const newestOf = (lists: readonly UseQueryResult<z.infer<typeof EventList>>[]) => ({
  events: lists
    .flatMap(({ data }) => data?.data ?? [])
    .toSorted(newestFirst)
    .slice(0, 20),
  isPending: lists.some((list) => list.isPending),
})

/** The types, and the latest events of each. */
export function useEventChoices(workflowId: string) {
  const triggers = useTriggers(workflowId)
  const types = triggers.data ? eventTypesOf(triggers.data.items) : undefined
  const { events, isPending } = useQueries({ queries: (types ?? []).map(recentEvents), combine: newestOf })
  const startsOtherwise = triggers.data?.items.some(({ kind }) => kind === 'cron') ?? false
  return { types: types ?? [], events, isPending: triggers.isPending || isPending, startsOtherwise }
}
