/** Ratings of replies on the whole platform. */
import { getRouteApi } from '@tanstack/react-router'
import { RatingsPanel } from '#features/ratings/ratings-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/platform/ratings')

export function PlatformRatingsPage() {
  const navigate = route.useNavigate()
  return (
    <>
      <PageTitle>Ratings</PageTitle>
      <RatingsPanel
        search={route.useSearch()}
        onSearch={(search) => void navigate({ search, replace: true })}
        canOpenShares={false}
      />
    </>
  )
}
