/** Forgot password: ask, then say what will happen, the same for every address. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ForgotForm } from '#features/auth/forgot-form.tsx'
import { buttonLook } from '#ui/button.tsx'
import { Sheet } from '../frames/sheet.tsx'
import { inkLink } from '../ink-link.ts'

export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo !== undefined) {
    return (
      <Sheet
        title="Check your mail"
        hint={`If ${sentTo} has an account here, a link to set a new password is on its way.`}
      >
        <Link to="/sign-in" className={`${buttonLook('plain', 'large')} w-full`}>
          Back to sign-in
        </Link>
      </Sheet>
    )
  }
  return (
    <Sheet
      title="Forgot your password?"
      hint="Tell us your address and we mail you a link to set a new one."
      foot={
        <Link to="/sign-in" className={inkLink}>
          Back to sign-in
        </Link>
      }
    >
      <ForgotForm onSent={setSentTo} />
    </Sheet>
  )
}
