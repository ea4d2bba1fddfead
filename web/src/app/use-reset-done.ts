/** After a new password was set. */
import { useRouter } from '@tanstack/react-router'
import { toast } from '#ui/feedback/toast.ts'

export function useResetDone(to: '/sign-in' | '/platform/sign-in') {
  const router = useRouter()
  return () => {
    toast.done('Password changed. Sign in with your new password.')
    void router.navigate({ to, replace: true })
  }
}
