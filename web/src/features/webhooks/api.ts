/** The organization's webhooks and what was sent to them. */
import {
  DeliveryList,
  Webhook,
  type WebhookBody,
  WebhookDelivery,
  WebhookList,
  type WebhookPatch,
  WebhookWithSecret,
} from '@chancery/contract/webhooks.ts'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { withQuery } from '#lib/http/with-query.ts'
import { toast } from '#ui/feedback/toast.ts'

const base = '/api/signing/webhooks'
const key = ['webhooks'] as const
const pathOf = (id: string) => `${base}/${id}`
const logKey = (id: string) => ['webhook-deliveries', id] as const

export const useWebhooks = () => useQuery({ queryKey: key, queryFn: () => api.get(base, WebhookList) })

export function useCreateWebhook() {
  const queryClient = useQueryClient()
  return async (body: WebhookBody) => {
    const made = await api.post(base, body, WebhookWithSecret)
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
    ({ id, ...patch }: WebhookPatch & { id: string }) => api.patch(pathOf(id), patch, Webhook),
    () => undefined,
  )
export const useDeleteWebhook = (onDone: () => void) =>
  useAction(({ id }: { id: string }) => api.tell('DELETE', pathOf(id)), onDone)
export const useRotateSecret = (onDone: (made: WebhookWithSecret) => void) =>
  useAction(({ id }: { id: string }) => api.post(`${pathOf(id)}/rotate-secret`, undefined, WebhookWithSecret), onDone)

const refreshMs = 3000

/** Followed while something is being sent. */
export const useDeliveries = (id: string) =>
  useInfiniteQuery({
    queryKey: logKey(id),
    queryFn: ({ pageParam }) => api.get(withQuery(`${pathOf(id)}/deliveries`, { cursor: pageParam }), DeliveryList),
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
      api.post(
        deliveryId === undefined ? `${pathOf(id)}/test` : `${pathOf(id)}/deliveries/${deliveryId}/replay`,
        undefined,
        WebhookDelivery,
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: logKey(id) }),
    onError: toast.failed,
  })
}
