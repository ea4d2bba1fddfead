/** What the organization used, and the limits its administrators set. */
import { getRouteApi } from '@tanstack/react-router'
import { UsageDesk } from '../../usage-desk.tsx'
import { UsageLimits } from '../../usage-limits.tsx'

const route = getRouteApi('/shell/organization/usage')

export function OrganizationUsagePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <UsageDesk
      scope="organization"
      search={search}
      onSearch={(change) => void navigate({ search: change, replace: true })}
    >
      <UsageLimits
        scope="organization"
        open={search.limit}
        onOpen={(limit) => void navigate({ search: ({ limit: _, ...rest }) => (limit ? { ...rest, limit } : rest) })}
      />
    </UsageDesk>
  )
}
