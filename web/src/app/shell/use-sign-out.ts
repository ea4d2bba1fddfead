/** Ends the session on the server, then forgets everything this browser saw of it. */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { api } from '#lib/api.ts'
import { isSignedOut } from '#lib/api-error.ts'
import { forgetSide, useViewer } from '#lib/viewer.ts'
import { toast } from '#ui/toast.tsx'

export function useSignOut(): () => void {
  const { kind } = useViewer()
  const router = useRouter()
  const queryClient = useQueryClient()
  return useCallback(() => {
    const leave = async () => {
      try {
        await api.tell('POST', kind === 'admin' ? '/api/admin/auth/logout' : '/api/auth/logout')
      } catch (error) {
        // A session that is over already is what was asked for; anything else leaves the person signed in.
        if (!isSignedOut(error)) return toast.failed(error)
      }
      forgetSide()
      await router.navigate({ to: kind === 'admin' ? '/platform/sign-in' : '/sign-in' })
      queryClient.clear()
    }
    void leave()
  }, [kind, router, queryClient])
}
