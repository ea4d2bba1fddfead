/** Where a session leads that may do nothing else until a second factor was set up or shown. */
import { getRouteApi } from '@tanstack/react-router'
import { endSession, forgetSide, lastSide, type Side } from '#data/viewer.ts'
import { EnrolmentForm } from '#features/factors/enrolment-form.tsx'
import { isSignedOut } from '#lib/problems/api-error.ts'
import { forgetTab } from '#lib/tab/forget-tab.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Sheet } from '../frames/sheet.tsx'
import { useEnter } from '../use-enter.ts'

const route = getRouteApi('/second-factor')

const asking: Record<Side, string> = { person: 'Your organization', admin: 'This platform' }

export function SecondFactorPage() {
  const { return_to } = route.useSearch()
  const { viewer } = route.useRouteContext()
  const enter = useEnter(viewer.kind, return_to)
  const navigate = route.useNavigate()
  const { queryClient } = route.useRouteContext()
  const signOut = async () => {
    try {
      await endSession(viewer.kind)
    } catch (error) {
      if (!isSignedOut(error)) return toast.failed(error)
    }
    forgetTab()
    forgetSide()
    await navigate({ to: viewer.kind === 'admin' ? '/platform/sign-in' : '/sign-in' })
    queryClient.clear()
  }
  return (
    <Sheet
      title={`${asking[lastSide()]} asks for a second factor`}
      hint={`You’re signed in as ${viewer.email}. It takes a minute, once.`}
      foot={
        <Button look="quiet" size="small" onClick={() => void signOut()}>
          Sign out
        </Button>
      }
    >
      <EnrolmentForm onDone={enter} />
    </Sheet>
  )
}
