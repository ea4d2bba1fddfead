/** The organization's usage and the limits its admins set. */
import { getRouteApi } from '@tanstack/react-router'
import { QuotasPanel } from '#features/organization/quotas-panel.tsx'
import { UsageLimits } from '../../usage-limits.tsx'
import { UsageView } from '../../usage-view.tsx'

const route = getRouteApi('/shell/organization/usage')

export function OrganizationUsagePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <UsageView
      scope="organization"
      search={search}
      onSearch={(change) => void navigate({ search: change, replace: true })}
    >
      <UsageLimits
        scope="organization"
        open={search.limit}
        onOpen={(limit) => void navigate({ search: ({ limit: _, ...rest }) => (limit ? { ...rest, limit } : rest) })}
      />
      <QuotasPanel />
    </UsageView>
  )
}
