/** One organization, as those who run the instance look after it. */
import { getRouteApi } from '@tanstack/react-router'
import { OrganizationDesk } from '#features/console/organization-desk.tsx'
import { BackLink } from '../../back-link.tsx'

const route = getRouteApi('/shell/platform/organizations/$organizationId')

export function OrganizationPage() {
  const { organizationId } = route.useParams()
  return (
    <>
      <BackLink to="/platform/organizations">All organizations</BackLink>
      <OrganizationDesk id={organizationId} />
    </>
  )
}
