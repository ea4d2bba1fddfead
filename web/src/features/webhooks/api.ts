/** The organization's webhooks and what was sent to them. */
import * as endpoints from '@chancery/contract/endpoints/webhooks.ts'
import type { WebhookBody, WebhookPatch, WebhookWithSecret } from '@chancery/contract/platform/webhooks.ts'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

const key = ['webhooks'] as const
const logKey = (id: string) => ['webhook-deliveries', id] as const

export const useWebhooks = () => useQuery({ queryKey: key, queryFn: () => call(endpoints.listWebhooks) })

export function useCreateWebhook() {
  const queryClient = useQueryClient()
  return async (body: WebhookBody) => {
    const made = await call(endpoints.createWebhook, { body })
    await queryClient.invalidateQueries({ queryKey: key })
    return made
  }
}

/** Reads the list again afterwards, and shows a failure. */
function useAction<Input, Result>(act: (input: Input) => Promise<Result>, onDone: (result: Result) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async (result: Result) => {
      onDone(result)
      await queryClient.invalidateQueries({ queryKey: key })
    },
    onError: toast.failed,
  })
}

export const useChangeWebhook = () =>
  useAction(
    ({ id, ...patch }: WebhookPatch & { id: string }) => call(endpoints.changeWebhook, { params: { id }, body: patch }),
    () => undefined,
  )
export const useDeleteWebhook = (onDone: () => void) =>
  useAction(({ id }: { id: string }) => call(endpoints.deleteWebhook, { params: { id } }), onDone)
export const useRotateSecret = (onDone: (made: WebhookWithSecret) => void) =>
  useAction(({ id }: { id: string }) => call(endpoints.rotateSecret, { params: { id } }), onDone)

const refreshMs = 3000

/** Followed while something is being sent. */
export const useDeliveries = (id: string) =>
  useInfiniteQuery({
    queryKey: logKey(id),
    queryFn: ({ pageParam }) => call(endpoints.listDeliveries, { params: { id }, query: { cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((one) => one.state === 'PENDING')) ? refreshMs : false,
  })

/** Sends a test, or a delivery again. */
export function useSendDelivery(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (deliveryId: string | undefined) =>
      deliveryId === undefined
        ? call(endpoints.testWebhook, { params: { id } })
        : call(endpoints.replayDelivery, { params: { id, deliveryId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: logKey(id) }),
    onError: toast.failed,
  })
}
