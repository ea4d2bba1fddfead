/** The page a verification link opens. A click sends the token, so that a mail scanner's visit does not use it up. */
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { verifyEmail } from '#features/auth/api.ts'
import { ApiError } from '#lib/api-error.ts'
import { Button, buttonLook } from '#ui/button.tsx'
import { FormFailure } from '#ui/states.tsx'
import { Sheet } from '../frames/sheet.tsx'

const route = getRouteApi('/verify-email')

export function VerifyEmailPage() {
  const { token = '' } = route.useSearch()
  const verify = useMutation({ mutationFn: () => verifyEmail(token) })
  if (verify.isSuccess)
    return (
      <Sheet title="Email verified" hint="Thank you. Your email address is verified.">
        <Link to="/" className={`${buttonLook('primary', 'large')} w-full`}>
          Continue
        </Link>
      </Sheet>
    )
  return (
    <Sheet title="Verify your email" hint="Confirm that this email address is yours.">
      <div className="flex flex-col gap-5">
        <FormFailure error={verify.error instanceof ApiError ? verify.error : undefined} />
        <Button look="primary" size="large" isPending={verify.isPending} onClick={() => verify.mutate()}>
          Verify email
        </Button>
      </div>
    </Sheet>
  )
}
