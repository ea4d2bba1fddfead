/**
 * Ends the session on the server, then forgets everything this browser saw of it. A login of the company's own provider
 * ends there too: the browser goes by way of the provider.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { signsOutElsewhere } from '#features/organization/api.ts'
import { api } from '#lib/api.ts'
import { isSignedOut } from '#lib/api-error.ts'
import { forgetSide, useViewer, type Viewer } from '#lib/viewer.ts'
import { toast } from '#ui/toast.tsx'

/** Who cannot be asked about their company is signed out here alone. */
const isElsewhere = (viewer: Viewer): Promise<boolean> =>
  viewer.kind === 'person' && viewer.organizationId !== null
    ? signsOutElsewhere().catch(() => false)
    : Promise.resolve(false)

export function useSignOut(): () => void {
  const viewer = useViewer()
  const router = useRouter()
  const queryClient = useQueryClient()
  return useCallback(() => {
    const { kind } = viewer
    const leave = async () => {
      if (await isElsewhere(viewer)) {
        forgetSide()
        return location.assign('/sso/logout')
      }
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
  }, [viewer, router, queryClient])
}
