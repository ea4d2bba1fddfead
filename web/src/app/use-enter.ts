/** After sign-in: drops everything of the previous person and goes to the requested page. */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { forgetSide, rememberSide, type Side } from '#data/viewer.ts'
import { safeReturnTo } from '#lib/browser/return-to.ts'
import { forgetTab } from '#lib/tab/forget-tab.ts'

export function useEnter(side: Side, returnTo?: string) {
  const queryClient = useQueryClient()
  const router = useRouter()
  return () => {
    // Tells the other tabs.
    forgetSide()
    rememberSide(side)
    forgetTab()
    queryClient.clear()
    const next = safeReturnTo(returnTo) ?? '/'
    // The help is no page of the app.
    if (next.startsWith('/help/')) location.replace(next)
    else router.history.replace(next)
  }
}
