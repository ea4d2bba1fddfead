/** Sign-in for platform admins. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { startTransition, useState } from 'react'
import { PlatformSignInForm } from '#features/platform-auth/platform-sign-in-form.tsx'
import { textLink } from '#ui/button/href-link.tsx'
import { Sheet } from '../frames/sheet.tsx'
import type { DueStep } from '../second-step-sheet.tsx'
import { SetupHint } from '../setup-hint.tsx'
import { PasskeyEntrance, SecondStepSheet } from '../sign-in-parts.tsx'
import { useEnter } from '../use-enter.ts'

const route = getRouteApi('/platform/sign-in')

export function PlatformSignInPage() {
  const { return_to } = route.useSearch()
  const enter = useEnter('admin', return_to)
  const [due, setDue] = useState<DueStep>()
  if (due) return <SecondStepSheet side="admin" {...due} onSignedIn={enter} onBack={() => setDue(undefined)} />
  const foot = (
    <>
      <p>
        Not a platform admin?{' '}
        <Link to="/sign-in" className={textLink}>
          Sign in to your account
        </Link>
      </p>
      <SetupHint />
    </>
  )
  return (
    <Sheet title="Platform sign-in" hint="For people who manage this instance." foot={foot}>
      <PlatformSignInForm
        onSignedIn={enter}
        onSecondStep={(challenge, email) => startTransition(() => setDue({ challenge, email }))}
      />
      <PasskeyEntrance side="admin" onSignedIn={enter} />
    </Sheet>
  )
}
