/** Sign-in for platform admins. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { PlatformSignInForm } from '#features/platform-auth/platform-sign-in-form.tsx'
import { Sheet } from '../frames/sheet.tsx'
import { inkLink } from '../ink-link.ts'
import { SetupHint } from '../setup-hint.tsx'
import { useEnter } from '../use-enter.ts'

const route = getRouteApi('/platform/sign-in')

export function PlatformSignInPage() {
  const { return_to } = route.useSearch()
  const enter = useEnter('admin', return_to)
  const foot = (
    <>
      <p>
        Not an administrator?{' '}
        <Link to="/sign-in" className={inkLink}>
          Sign in to your account
        </Link>
      </p>
      <SetupHint />
    </>
  )
  return (
    <Sheet title="Platform sign-in" hint="For those who run this office." foot={foot}>
      <PlatformSignInForm onSignedIn={enter} />
    </Sheet>
  )
}
