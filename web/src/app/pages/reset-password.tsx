/** The page a password reset email links to. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { resetPassword, shapes } from '#features/auth/api.ts'
import { NewPasswordForm } from '#features/auth/new-password-form.tsx'
import { buttonLook } from '#ui/button/button.tsx'
import { textLink } from '#ui/button/href-link.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Sheet } from '../frames/sheet.tsx'

const route = getRouteApi('/reset-password')

export function ResetPasswordPage() {
  const { token } = route.useSearch()
  const navigate = route.useNavigate()
  if (token === undefined) {
    return (
      <Sheet title="This link is incomplete" hint="Open the link from the email again, or request a new one.">
        <Link to="/forgot-password" className={`${buttonLook('primary', 'large')} w-full`}>
          Request a new link
        </Link>
      </Sheet>
    )
  }
  const onDone = () => {
    toast.done('Password changed. Sign in with your new password.')
    void navigate({ to: '/sign-in', replace: true })
  }
  return (
    <Sheet
      title="Set a new password"
      hint="You’ll be signed out everywhere and sign in with the new password."
      foot={
        <Link to="/forgot-password" className={textLink}>
          Request a new link
        </Link>
      }
    >
      <NewPasswordForm
        token={token}
        schema={shapes.reset}
        send={resetPassword}
        action="Set new password"
        onDone={onDone}
      />
    </Sheet>
  )
}
