/** The viewer's own usage and remaining allowance. */
import { getRouteApi } from '@tanstack/react-router'
import { AllowancePanel } from '#features/usage/allowance-panel.tsx'
import { UsageView } from '../../usage-view.tsx'

const route = getRouteApi('/shell/account/usage')

export function UsagePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <UsageView
      scope="own"
      search={search}
      head={<AllowancePanel />}
      onSearch={(change) => void navigate({ search: change, replace: true })}
    />
  )
}
