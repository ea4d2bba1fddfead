/** Sign-in for platform admins. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useSetupState } from '#features/platform-auth/api.ts'
import { PlatformSignInForm } from '#features/platform-auth/platform-sign-in-form.tsx'
import { Sheet } from '../frames/sheet.tsx'
import { inkLink } from '../ink-link.ts'
import { useEnter } from '../use-enter.ts'

const route = getRouteApi('/platform/sign-in')

export function PlatformSignInPage() {
  const { return_to } = route.useSearch()
  const enter = useEnter('admin', return_to)
  const setup = useSetupState()
  const foot = (
    <>
      <p>
        Not an administrator?{' '}
        <Link to="/sign-in" className={inkLink}>
          Sign in to your account
        </Link>
      </p>
      {setup.data?.needed && (
        <p>
          This office has no administrator yet.{' '}
          <Link to="/setup" className={inkLink}>
            Set it up
          </Link>
        </p>
      )}
    </>
  )
  return (
    <Sheet title="Platform sign-in" hint="For those who run this office." foot={foot}>
      <PlatformSignInForm onSignedIn={enter} />
    </Sheet>
  )
}
