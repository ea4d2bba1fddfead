/** How the instance did in the last day or month; which of them is in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { StatusScreen } from '#features/status/status-screen.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/platform/status')

export function StatusPage() {
  const { span = 'day' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <PageTitle>Status</PageTitle>
      <StatusScreen
        span={span}
        onSpan={(next) => void navigate({ search: next === 'month' ? { span: next } : {}, replace: true })}
      />
    </>
  )
}
