/** The page an invitation email links to. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { AcceptForm } from '#features/invitation/accept-form.tsx'
import { useInvitation } from '#features/invitation/api.ts'
import { JoinPanel } from '#features/invitation/join-panel.tsx'
import { ApiError } from '#lib/problems/api-error.ts'
import { buttonLook } from '#ui/button/button.tsx'
import { textLink } from '#ui/button/href-link.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Time } from '#ui/values/time.tsx'
import { Sheet } from '../frames/sheet.tsx'
import { useEnter } from '../use-enter.ts'

const route = getRouteApi('/accept-invite')

export function AcceptInvitePage() {
  const { token } = route.useSearch()
  if (token === undefined) return <NoInvitation reason="The link is incomplete. Open it from the email again." />
  return <Invitation token={token} />
}

function Invitation({ token }: { token: string }) {
  const invitation = useInvitation(token)
  const enter = useEnter('person')
  if (invitation.isPending) {
    return (
      <Sheet title="Invitation">
        <Loading label="Loading invitation">
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
      <Sheet title="Invitation">
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
          You’re invited as {role === 'ROLE_ORG_ADMIN' ? 'an organization admin' : 'a member'}. The invitation expires{' '}
          <Time at={expiresAt} />.
        </>
      }
      foot={<SignInLink />}
    >
      {invitation.data.hasAccount ? (
        <JoinPanel token={token} facts={invitation.data} onJoined={enter} signIn={<SignInFirst token={token} />} />
      ) : (
        <AcceptForm token={token} facts={invitation.data} onSignedIn={enter} />
      )}
    </Sheet>
  )
}

/** Comes back here, since the invitation is accepted after signing in. */
const SignInFirst = ({ token }: { token: string }) => (
  <Link
    to="/sign-in"
    search={{ return_to: `/accept-invite?token=${token}` }}
    className={`${buttonLook('primary', 'large')} w-full`}
  >
    Sign in
  </Link>
)

const SignInLink = () => (
  <p>
    Already have an account?{' '}
    <Link to="/sign-in" className={textLink}>
      Sign in
    </Link>
  </p>
)

const NoInvitation = ({ reason }: { reason: string }) => (
  <Sheet
    title="This invitation is invalid or has expired"
    hint={`${reason} If you’ve already joined, sign in. Otherwise ask an admin of the organization for a new invitation.`}
  >
    <Link to="/sign-in" className={`${buttonLook('primary', 'large')} w-full`}>
      Sign in
    </Link>
  </Sheet>
)
