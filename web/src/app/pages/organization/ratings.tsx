/** Ratings of replies by the organization's members. */
import { getRouteApi } from '@tanstack/react-router'
import { RatingsPanel } from '#features/ratings/ratings-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/organization/ratings')

export function OrganizationRatingsPage() {
  const navigate = route.useNavigate()
  return (
    <>
      <PageTitle>Ratings</PageTitle>
      <RatingsPanel
        search={route.useSearch()}
        onSearch={(search) => void navigate({ search, replace: true })}
        canOpenShares
      />
    </>
  )
}
