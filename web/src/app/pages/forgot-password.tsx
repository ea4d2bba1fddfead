/** Requests a password reset. The reply is the same for every email. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useHasMailServer } from '#data/mail-server.ts'
import { ForgotForm } from '#features/auth/forgot-form.tsx'
import { buttonLook } from '#ui/button/button.tsx'
import { textLink } from '#ui/button/href-link.tsx'
import { Sheet } from '../frames/sheet.tsx'

export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>()
  const hasMail = useHasMailServer() !== false
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
        <Link to="/sign-in" className={`${buttonLook('plain', 'large')} w-full`}>
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
        <Link to="/sign-in" className={textLink}>
          Back to sign in
        </Link>
      }
    >
      <ForgotForm onSent={setSentTo} />
    </Sheet>
  )
}
