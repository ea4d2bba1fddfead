/** The tabs of the workflows area, with the number of approvals waiting for the viewer. */
import { useOpenApprovalCount } from '#features/workflows/answers/api.ts'
import { TabLinks } from '#ui/page/layout.tsx'

export function AreaTabs() {
  const count = useOpenApprovalCount()
  return (
    <TabLinks
      label="Workflows area"
      tabs={[
        { label: 'Workflows', to: '/workflows', isExact: true },
        { label: 'Approvals', to: '/workflows/approvals', count },
        { label: 'Catalogs', to: '/workflows/catalogs' },
      ]}
    />
  )
}
