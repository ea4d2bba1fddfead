/** Triggers of a workflow, and server-side checks while editing them. */

import * as eventsEndpoints from '@chancery/contract/endpoints/events.ts'
import * as workflowsEndpoints from '@chancery/contract/endpoints/workflows.ts'
import type { FilterTestReply, Trigger, TriggerList } from '@chancery/contract/workflows/triggers.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call, unchecked } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'
import { workflowKeys } from '../api.ts'

export type TriggerKind = Trigger['kind']
export type TriggerOf<Kind extends TriggerKind> = Extract<Trigger, { kind: Kind }>

const triggersKey = (id: string) => [...workflowKeys.one(id), 'triggers']
/** Refetched, because the next run times of a schedule go by. */
const refreshMs = 60_000
/** Refetched often: someone who just sent a request wants to see it arrive. */
const deliveriesMs = 4000

export const useTriggers = (workflowId: string) =>
  useQuery({
    queryKey: triggersKey(workflowId),
    queryFn: () => call(workflowsEndpoints.listTriggers, { params: { id: workflowId } }),
    refetchInterval: refreshMs,
  })

function useRefresh(workflowId: string) {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: triggersKey(workflowId) }),
      // The list of workflows shows how many triggers each has.
      queryClient.invalidateQueries({ queryKey: workflowKeys.lists }),
    ])
}

const adding = {
  event: workflowsEndpoints.addEventTrigger,
  cron: workflowsEndpoints.addCronTrigger,
  webhook: workflowsEndpoints.addWebhookTrigger,
}

interface TriggerPlace {
  workflowId: string
  kind: TriggerKind
  /** Undefined creates one. */
  id: string | undefined
}

export function useSaveTrigger({ workflowId, kind, id }: TriggerPlace) {
  const refresh = useRefresh(workflowId)
  return async (body: unknown): Promise<Trigger> => {
    const saved: Trigger =
      id === undefined
        ? await call(adding[kind], { params: { id: workflowId }, body: unchecked(body) })
        : await call(workflowsEndpoints.changeTrigger, {
            params: { id: workflowId, triggerId: id },
            body: unchecked(body),
          })
    await refresh()
    return saved
  }
}

type Listed = z.infer<typeof TriggerList>

/** For a trigger that was paused because its filter kept failing: any change resumes it. */
export function useResumeTrigger(workflowId: string) {
  const refresh = useRefresh(workflowId)
  return useMutation({
    mutationFn: ({ id }: Trigger) =>
      call(workflowsEndpoints.changeTrigger, { params: { id: workflowId, triggerId: id }, body: { enabled: true } }),
    onSuccess: ({ name }) => toast.done(`${name} resumed`),
    onError: toast.failed,
    onSettled: refresh,
  })
}

/** Turns every trigger of a workflow on or off; those that are so already stay as they are. */
export async function setAllTriggers(workflowId: string, enabled: boolean): Promise<void> {
  const { items } = await call(workflowsEndpoints.listTriggers, { params: { id: workflowId } })
  for (const trigger of items)
    if (trigger.enabled !== enabled)
      await call(workflowsEndpoints.changeTrigger, {
        params: { id: workflowId, triggerId: trigger.id },
        body: { enabled },
      })
}

/** Optimistic; rolled back if the server rejects it. */
export function useSwitchTrigger(workflowId: string) {
  const queryClient = useQueryClient()
  const refresh = useRefresh(workflowId)
  const key = triggersKey(workflowId)
  return useMutation({
    mutationFn: ({ id, enabled }: Trigger) =>
      call(workflowsEndpoints.changeTrigger, {
        params: { id: workflowId, triggerId: id },
        body: { enabled: !enabled },
      }),
    onMutate: async ({ id, enabled }) => {
      await queryClient.cancelQueries({ queryKey: key })
      const before = queryClient.getQueryData<Listed>(key)
      queryClient.setQueryData<Listed>(
        key,
        (list) =>
          list && {
            ...list,
            items: list.items.map((item) => (item.id === id ? { ...item, enabled: !enabled } : item)),
          },
      )
      return { before }
    },
    onError: (error, _, context) => {
      queryClient.setQueryData(key, context?.before)
      toast.failed(error)
    },
    onSettled: refresh,
  })
}

export function useDeleteTrigger(workflowId: string, onDone: () => void) {
  const refresh = useRefresh(workflowId)
  return useMutation({
    mutationFn: ({ id }: Trigger) =>
      call(workflowsEndpoints.deleteTrigger, { params: { id: workflowId, triggerId: id } }),
    onSuccess: (_, { name }) => toast.done(`Trigger “${name}” deleted`),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await refresh()
    },
  })
}

export type FilterTest = z.infer<typeof FilterTestReply>

interface FilterQuestion {
  eventType: string
  expression: string
}

/** An empty filter accepts every event, so it is tested as `True`. */
export const useFilterTest = (workflowId: string, { eventType, expression }: FilterQuestion) =>
  useQuery({
    queryKey: [...triggersKey(workflowId), 'filter', eventType, expression],
    queryFn: () =>
      call(workflowsEndpoints.testEventTrigger, {
        params: { id: workflowId },
        body: { filter_expr: expression || 'True', limit: 20, ...(eventType !== '' && { event_type: eventType }) },
      }),
    placeholderData: keepPreviousData,
  })

export const useTimetable = (workflowId: string, cron: string, timezone: string) =>
  useQuery({
    queryKey: [...triggersKey(workflowId), 'timetable', cron, timezone],
    queryFn: () => call(workflowsEndpoints.testCronTrigger, { params: { id: workflowId }, body: { cron, timezone } }),
    placeholderData: keepPreviousData,
  })

/** The types of the most recent events, as suggestions. */
export const useRecentTypes = () =>
  useQuery({
    queryKey: ['events', 'types'],
    queryFn: () => call(eventsEndpoints.listEvents, { query: { limit: 200 } }),
    select: ({ data }) => [...new Set(data.map(({ event_type }) => event_type))].sort(),
  })

/** The last deliveries to a webhook, as the events they became. */
export const useDeliveries = (triggerId: string) =>
  useQuery({
    queryKey: ['events', 'webhook', triggerId],
    queryFn: () => call(eventsEndpoints.listEvents, { query: { source: `webhook:${triggerId}`, limit: 5 } }),
    refetchInterval: deliveriesMs,
  })
