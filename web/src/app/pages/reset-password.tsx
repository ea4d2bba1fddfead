/** The page a mailed reset link opens. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { ResetForm } from '#features/auth/reset-form.tsx'
import { buttonLook } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
import { Sheet } from '../frames/sheet.tsx'
import { inkLink } from '../ink-link.ts'

const route = getRouteApi('/reset-password')

export function ResetPasswordPage() {
  const { token } = route.useSearch()
  const navigate = route.useNavigate()
  if (token === undefined) {
    return (
      <Sheet title="This link is not complete" hint="Open the link from the mail again, or ask for a new one.">
        <Link to="/forgot-password" className={`${buttonLook('primary', 'large')} w-full`}>
          Ask for a new link
        </Link>
      </Sheet>
    )
  }
  const onDone = () => {
    toast.done('Your password is changed. Sign in with the new one.')
    void navigate({ to: '/sign-in', replace: true })
  }
  return (
    <Sheet
      title="Set a new password"
      hint="Every session of your account ends; you sign in anew."
      foot={
        <Link to="/forgot-password" className={inkLink}>
          Ask for a new link
        </Link>
      }
    >
      <ResetForm token={token} onDone={onDone} />
    </Sheet>
  )
}
