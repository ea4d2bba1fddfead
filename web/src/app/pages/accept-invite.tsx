/** The page a mailed invitation opens. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { AcceptForm } from '#features/invitation/accept-form.tsx'
import { useInvitation } from '#features/invitation/api.ts'
import { ApiError } from '#lib/api-error.ts'
import { buttonLook } from '#ui/button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { Sheet } from '../frames/sheet.tsx'
import { inkLink } from '../ink-link.ts'
import { useEnter } from '../use-enter.ts'

const route = getRouteApi('/accept-invite')

export function AcceptInvitePage() {
  const { token } = route.useSearch()
  if (token === undefined) return <NoInvitation reason="The link is not complete. Open it from the mail again." />
  return <Invitation token={token} />
}

function Invitation({ token }: { token: string }) {
  const invitation = useInvitation(token)
  const enter = useEnter('person')
  if (invitation.isPending) {
    return (
      <Sheet title="Your invitation">
        <Loading label="Loading the invitation">
          <div className="flex flex-col gap-5">
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </div>
        </Loading>
      </Sheet>
    )
  }
  if (invitation.isError) {
    const { error } = invitation
    if (error instanceof ApiError && error.code === 'invitation_not_valid')
      return <NoInvitation reason={error.message} />
    return (
      <Sheet title="Your invitation">
        <ErrorPanel error={error} onRetry={invitation.refetch} />
      </Sheet>
    )
  }
  const { organization, role, expiresAt } = invitation.data
  return (
    <Sheet
      title={`Join ${organization}`}
      hint={
        <>
          You are invited as {role === 'ROLE_ORG_ADMIN' ? 'an organization admin' : 'a member'}. The invitation ends{' '}
          <Time at={expiresAt} />.
        </>
      }
      foot={<HaveOne />}
    >
      <AcceptForm token={token} facts={invitation.data} onSignedIn={enter} />
    </Sheet>
  )
}

const HaveOne = () => (
  <p>
    Have an account already?{' '}
    <Link to="/sign-in" className={inkLink}>
      Sign in
    </Link>
  </p>
)

const NoInvitation = ({ reason }: { reason: string }) => (
  <Sheet
    title="This invitation opens nothing"
    hint={`${reason} If you joined already, sign in; otherwise ask an administrator of the organization for a new one.`}
  >
    <Link to="/sign-in" className={`${buttonLook('primary', 'large')} w-full`}>
      Sign in
    </Link>
  </Sheet>
)
