/** The sign-in page, its steps, and links to the other pages. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useHasMailServer } from '#data/mail-server.ts'
import type { Challenge } from '#features/auth/api.ts'
import { CodeForm } from '#features/auth/code-form.tsx'
import { ProblemNote } from '#features/auth/problem-note.tsx'
import { ProviderLinks } from '#features/auth/provider-links.tsx'
import { SignInForm } from '#features/auth/sign-in-form.tsx'
import { safeReturnTo } from '#lib/browser/return-to.ts'
import { textLink } from '#ui/button/href-link.tsx'
import { Sheet } from '../frames/sheet.tsx'
import { SetupHint } from '../setup-hint.tsx'
import { useEnter } from '../use-enter.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { return_to, problem } = route.useSearch()
  const enter = useEnter('person', return_to)
  const returnTo = safeReturnTo(return_to)
  const [due, setDue] = useState<{ challenge: Challenge; email: string }>()

  if (due) {
    return (
      <CodeSheet email={due.email}>
        <CodeForm challenge={due.challenge} onSignedIn={enter} onBack={() => setDue(undefined)} />
      </CodeSheet>
    )
  }
  return (
    <Sheet title="Sign in" foot={<OtherWays />}>
      <ProblemNote code={problem} />
      <SignInForm
        returnTo={returnTo}
        onSignedIn={enter}
        onCodeDue={(challenge, email) => setDue({ challenge, email })}
      />
      <ProviderLinks returnTo={returnTo} />
    </Sheet>
  )
}

/** Without a mail server, the form says who has the code. */
function CodeSheet({ email, children }: { email: string; children: ReactNode }) {
  const hasMail = useHasMailServer() !== false
  return (
    <Sheet
      title={hasMail ? 'Check your email' : 'Enter your code'}
      hint={hasMail ? `We sent a code to ${email}.` : `Signing in as ${email} needs a code.`}
    >
      {children}
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
