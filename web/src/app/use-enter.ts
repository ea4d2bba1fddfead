/** After sign-in: clears the cache of the previous person and goes to the requested page. */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { safeReturnTo } from '#lib/return-to.ts'
import { rememberSide, type Side } from '#lib/viewer.ts'

export function useEnter(side: Side, returnTo?: string) {
  const queryClient = useQueryClient()
  const router = useRouter()
  return () => {
    rememberSide(side)
    queryClient.clear()
    router.history.replace(safeReturnTo(returnTo) ?? '/')
  }
}
