/**
 * The page a verification link opens. A click sends the token, so that a mail scanner's visit does not use it up.
 * Without being signed in, nobody knows whether the reader is who registered, so they set a new password.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { viewerQuery, wasHere } from '#data/viewer.ts'
import { shapes, verifyEmail } from '#features/auth/api.ts'
import { NewPasswordForm } from '#features/auth/new-password-form.tsx'
import { ApiError } from '#lib/problems/api-error.ts'
import { Button, buttonLook } from '#ui/button/button.tsx'
import { textLink } from '#ui/button/href-link.tsx'
import { FormFailure, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Sheet } from '../frames/sheet.tsx'

const route = getRouteApi('/verify-email')
const title = 'Verify your email'

export function VerifyEmailPage() {
  const { token = '' } = route.useSearch()
  const { data: viewer, isLoading } = useQuery({ ...viewerQuery, enabled: wasHere() })
  if (isLoading)
    return (
      <Sheet title={title}>
        <Loading label="Loading">
          <Skeleton className="h-10" />
        </Loading>
      </Sheet>
    )
  return viewer?.kind === 'person' ? <SignedIn token={token} email={viewer.email} /> : <SignedOut token={token} />
}

function SignedIn({ token, email }: { token: string; email: string }) {
  const queries = useQueryClient()
  const verify = useMutation({
    mutationFn: () => verifyEmail({ token }),
    onSuccess: () => queries.invalidateQueries({ queryKey: viewerQuery.queryKey }),
  })
  if (verify.isSuccess)
    return (
      <Sheet title="Email verified" hint="Thank you. Other sessions and API keys of the account have ended.">
        <Link to="/" className={`${buttonLook('primary', 'large')} w-full`}>
          Continue
        </Link>
      </Sheet>
    )
  return (
    <Sheet title={title} hint={`Confirm that ${email} is yours. Other sessions and API keys of the account end.`}>
      <div className="flex flex-col gap-5">
        <FormFailure error={verify.error instanceof ApiError ? verify.error : undefined} />
        <Button look="primary" size="large" isPending={verify.isPending} onClick={() => verify.mutate()}>
          Verify email
        </Button>
      </div>
    </Sheet>
  )
}

function SignedOut({ token }: { token: string }) {
  const navigate = route.useNavigate()
  const onDone = () => {
    toast.done('Email verified. Sign in with your new password.')
    void navigate({ to: '/sign-in', replace: true })
  }
  return (
    <Sheet
      title={title}
      hint="You’re not signed in here, so set a new password. Earlier sessions, API keys and the earlier password stop working."
      foot={
        <Link to="/sign-in" search={{ return_to: `/verify-email?token=${token}` }} className={textLink}>
          Sign in to keep your password
        </Link>
      }
    >
      <NewPasswordForm
        token={token}
        schema={shapes.verification}
        send={verifyEmail}
        action="Set password and verify"
        onDone={onDone}
      />
    </Sheet>
  )
}
