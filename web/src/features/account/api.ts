/** The viewer's own account. */

import type { MePatch, Session } from '@chancery/contract/accounts/accounts.ts'
import * as endpoints from '@chancery/contract/endpoints/accounts.ts'
import * as platform from '@chancery/contract/endpoints/platform.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type Side, useViewer, type Viewer, viewerQuery } from '#data/viewer.ts'
import { call } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

/** Saves, and updates the cached profile everywhere. */
export function useSaveMe() {
  const queryClient = useQueryClient()
  return async (patch: z.input<typeof MePatch>) => {
    const me = await call(endpoints.changeMe, { body: patch })
    const viewer: Viewer = { ...me, kind: 'person' }
    queryClient.setQueryData(viewerQuery.queryKey, viewer)
  }
}

/** Platform admins are stored apart from people, with calls of their own. */
const endpointsOf = (kind: Side) => (kind === 'person' ? endpoints : platform)

export const changePassword = (kind: Side, body: { currentPassword: string; newPassword: string }) =>
  call(endpointsOf(kind).changePassword, { body })

export const resendVerification = () => call(endpoints.resendVerification)

const sessionsKey = ['sessions']

export function useSessions() {
  const { kind } = useViewer()
  return useQuery({
    queryKey: sessionsKey,
    queryFn: async () => (await call(endpointsOf(kind).listSessions)).sessions,
  })
}

export function useRevokeSession(onDone: () => void) {
  const { kind } = useViewer()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Session) => call(endpointsOf(kind).endSession, { params: { id } }),
    onSuccess: () => toast.done('Session ended'),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: sessionsKey })
    },
  })
}
