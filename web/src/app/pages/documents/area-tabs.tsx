/** The tabs of the documents area. */
import { TabLinks } from '#ui/page/layout.tsx'

const tabs = [
  { label: 'Documents', to: '/documents', isExact: true },
  { label: 'To sign', to: '/documents/inbox' },
  { label: 'Templates', to: '/documents/templates' },
] as const

export const AreaTabs = () => <TabLinks label="Documents area" tabs={tabs} />
