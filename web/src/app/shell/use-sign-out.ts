/**
 * Ends the session on the server, then clears everything cached in this browser. A company login is also ended at the
 * identity provider, by redirecting there.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { companySignOutUrl, signsOutElsewhere } from '#data/organization.ts'
import { endSession, forgetSide, useViewer, type Viewer } from '#data/viewer.ts'
import { isSignedOut } from '#lib/problems/api-error.ts'
import { sendDelayed } from '#lib/tab/delayed-actions.ts'
import { forgetTab } from '#lib/tab/forget-tab.ts'
import { toast } from '#ui/feedback/toast.ts'

/** If the company login can't be determined, only this session is ended. */
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
      // Actions that can still be undone are sent while the session allows it.
      await sendDelayed()
      forgetTab()
      if (await isElsewhere(viewer)) {
        forgetSide()
        return location.assign(companySignOutUrl)
      }
      try {
        await endSession(kind)
      } catch (error) {
        // An expired session is what the user wanted; any other error leaves them signed in.
        if (!isSignedOut(error)) return toast.failed(error)
      }
      forgetSide()
      await router.navigate({ to: kind === 'admin' ? '/platform/sign-in' : '/sign-in' })
      queryClient.clear()
    }
    void leave()
  }, [viewer, router, queryClient])
}
