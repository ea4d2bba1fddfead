/** What the whole instance used, and the limits that hold in it. */
import { getRouteApi } from '@tanstack/react-router'
import { UsageDesk } from '../../usage-desk.tsx'
import { UsageLimits } from '../../usage-limits.tsx'

const route = getRouteApi('/shell/platform/usage')

export function PlatformUsagePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <UsageDesk scope="platform" search={search} onSearch={(change) => void navigate({ search: change, replace: true })}>
      <UsageLimits
        scope="platform"
        open={search.limit}
        onOpen={(limit) => void navigate({ search: ({ limit: _, ...rest }) => (limit ? { ...rest, limit } : rest) })}
      />
    </UsageDesk>
  )
}
