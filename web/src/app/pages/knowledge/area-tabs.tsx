/** The tabs of the knowledge area. */
import { TabLinks } from '#ui/page/layout.tsx'

const tabs = [
  { label: 'Collections', to: '/knowledge', isExact: true },
  { label: 'My files', to: '/knowledge/files' },
] as const

export const AreaTabs = () => <TabLinks label="Knowledge area" tabs={tabs} />
