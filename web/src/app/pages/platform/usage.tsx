/** The usage of the whole instance, and its limits. */
import { getRouteApi } from '@tanstack/react-router'
import { UsageLimits } from '../../usage-limits.tsx'
import { UsageView } from '../../usage-view.tsx'

const route = getRouteApi('/shell/platform/usage')

export function PlatformUsagePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <UsageView scope="platform" search={search} onSearch={(change) => void navigate({ search: change, replace: true })}>
      <UsageLimits
        scope="platform"
        open={search.limit}
        onOpen={(limit) => void navigate({ search: ({ limit: _, ...rest }) => (limit ? { ...rest, limit } : rest) })}
      />
    </UsageView>
  )
}
