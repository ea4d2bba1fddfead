/** The pages of a forgotten password: the same for people and for platform admins. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useHasMailServer } from '#data/mail-server.ts'
import type { Side } from '#data/viewer.ts'
import { shapes } from '#features/auth/api.ts'
import { ForgotForm } from '#features/auth/forgot-form.tsx'
import { NewPasswordForm } from '#features/auth/new-password-form.tsx'
import { buttonLook } from '#ui/button/button.tsx'
import { textLink } from '#ui/button/href-link.tsx'
import { Sheet } from './frames/sheet.tsx'

const addresses = {
  person: { signIn: '/sign-in', forgot: '/forgot-password' },
  admin: { signIn: '/platform/sign-in', forgot: '/platform/forgot-password' },
} as const

interface ForgotSheetProps {
  side: Side
  send: (body: { email: string }) => Promise<unknown>
}

/** The reply is the same for every email. */
export function ForgotSheet({ side, send }: ForgotSheetProps) {
  const [sentTo, setSentTo] = useState<string>()
  const hasMail = useHasMailServer() !== false
  const { signIn } = addresses[side]
  if (sentTo !== undefined) {
    return (
      <Sheet
        title={hasMail ? 'Check your email' : 'Ask your platform admin'}
        hint={
          hasMail
            ? `If ${sentTo} has an account, we’ve sent a link to set a new password.`
            : `This server can’t send email yet. If ${sentTo} has an account, your platform admin has the link to set a new password.`
        }
      >
        <Link to={signIn} className={`${buttonLook('plain', 'large')} w-full`}>
          Back to sign in
        </Link>
      </Sheet>
    )
  }
  return (
    <Sheet
      title="Forgot your password?"
      hint="Enter your email and we’ll send you a link to set a new password."
      foot={
        <Link to={signIn} className={textLink}>
          Back to sign in
        </Link>
      }
    >
      <ForgotForm send={send} onSent={setSentTo} />
    </Sheet>
  )
}

interface ResetSheetProps {
  side: Side
  token: string | undefined
  send: (body: { token: string; password: string }) => Promise<unknown>
  onDone: () => void
}

/** The page a password reset email links to. */
export function ResetSheet({ side, token, send, onDone }: ResetSheetProps) {
  const { forgot } = addresses[side]
  if (token === undefined) {
    return (
      <Sheet title="This link is incomplete" hint="Open the link from the email again, or request a new one.">
        <Link to={forgot} className={`${buttonLook('primary', 'large')} w-full`}>
          Request a new link
        </Link>
      </Sheet>
    )
  }
  return (
    <Sheet
      title="Set a new password"
      hint="You’ll be signed out everywhere and sign in with the new password."
      foot={
        <Link to={forgot} className={textLink}>
          Request a new link
        </Link>
      }
    >
      <NewPasswordForm token={token} schema={shapes.reset} send={send} action="Set new password" onDone={onDone} />
    </Sheet>
  )
}
