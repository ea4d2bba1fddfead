/** One organization, for platform admins. */
import { getRouteApi } from '@tanstack/react-router'
import { OrganizationDetail } from '#features/console/organization-detail.tsx'
import { BackLink } from '../../back-link.tsx'

const route = getRouteApi('/shell/platform/organizations/$organizationId')

export function OrganizationPage() {
  const { organizationId } = route.useParams()
  return (
    <>
      <BackLink to="/platform/organizations">All organizations</BackLink>
      <OrganizationDetail id={organizationId} />
    </>
  )
}
