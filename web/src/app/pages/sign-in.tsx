/** The sign-in page, its steps, and links to the other pages. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { startTransition, useState } from 'react'
import { ProblemNote } from '#features/auth/problem-note.tsx'
import { ProviderLinks } from '#features/auth/provider-links.tsx'
import { SignInForm } from '#features/auth/sign-in-form.tsx'
import { safeReturnTo } from '#lib/browser/return-to.ts'
import { textLink } from '#ui/button/href-link.tsx'
import { Sheet } from '../frames/sheet.tsx'
import type { DueStep } from '../second-step-sheet.tsx'
import { SetupHint } from '../setup-hint.tsx'
import { PasskeyEntrance, SecondStepSheet } from '../sign-in-parts.tsx'
import { useEnter } from '../use-enter.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { return_to, problem } = route.useSearch()
  const enter = useEnter('person', return_to)
  const returnTo = safeReturnTo(return_to)
  const [due, setDue] = useState<DueStep>()

  if (due) return <SecondStepSheet side="person" {...due} onSignedIn={enter} onBack={() => setDue(undefined)} />
  return (
    <Sheet title="Sign in" foot={<OtherWays />}>
      <ProblemNote code={problem} />
      <SignInForm
        returnTo={returnTo}
        onSignedIn={enter}
        onSecondStep={(challenge, email) => startTransition(() => setDue({ challenge, email }))}
      />
      <PasskeyEntrance side="person" onSignedIn={enter} />
      <ProviderLinks returnTo={returnTo} />
    </Sheet>
  )
}

function OtherWays() {
  return (
    <>
      <p>
        New here?{' '}
        <Link to="/register" className={textLink}>
          Create an account
        </Link>
      </p>
      <SetupHint />
    </>
  )
}
