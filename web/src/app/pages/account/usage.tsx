/** What one used oneself, and what is left. */
import { getRouteApi } from '@tanstack/react-router'
import { AllowancePanel } from '#features/usage/allowance-panel.tsx'
import { UsageDesk } from '../../usage-desk.tsx'

const route = getRouteApi('/shell/account/usage')

export function UsagePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <UsageDesk
      scope="own"
      search={search}
      head={<AllowancePanel />}
      onSearch={(change) => void navigate({ search: change, replace: true })}
    />
  )
}
