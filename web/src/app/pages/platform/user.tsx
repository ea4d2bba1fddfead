/** One user: profile, sign-ins, deactivation and deletion. */
import { getRouteApi } from '@tanstack/react-router'
import { UserDetail } from '#features/console/user-detail.tsx'
import { BackLink } from '../../back-link.tsx'

const route = getRouteApi('/shell/platform/users/$userId')

export function UserPage() {
  const { userId } = route.useParams()
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <BackLink to="/platform/users">All users</BackLink>
      <UserDetail
        id={userId}
        page={page}
        onPage={(next) => void navigate({ search: { page: next } })}
        onDeleted={() => void navigate({ to: '/platform/users' })}
      />
    </>
  )
}
