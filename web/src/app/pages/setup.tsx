/** First run: creates the first platform admin. */
import { Link } from '@tanstack/react-router'
import { useSetupState } from '#features/platform-auth/api.ts'
import { SetupForm } from '#features/platform-auth/setup-form.tsx'
import { buttonLook } from '#ui/button/button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Sheet } from '../frames/sheet.tsx'
import { useEnter } from '../use-enter.ts'

export function SetupPage() {
  const setup = useSetupState()
  const enter = useEnter('admin')
  if (setup.data?.needed === false) {
    return (
      <Sheet title="Already set up" hint="This instance already has a platform admin, who can add more in the console.">
        <Link to="/platform/sign-in" className={`${buttonLook('primary', 'large')} w-full`}>
          Platform admin sign-in
        </Link>
      </Sheet>
    )
  }
  return (
    <Sheet title="Set up Chancery" hint="Create the first platform admin.">
      {setup.isPending && <SetupSkeleton />}
      {setup.isError && <ErrorPanel error={setup.error} onRetry={setup.refetch} />}
      {setup.isSuccess && <SetupForm onSignedIn={enter} />}
    </Sheet>
  )
}

const SetupSkeleton = () => (
  <Loading label="Loading form">
    <div className="flex flex-col gap-6">
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
    </div>
  </Loading>
)
