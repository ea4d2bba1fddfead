/** The tabs of the events area; dead letters are shown to people who may handle them. */
import { useCan } from '#data/viewer.ts'
import { TabLinks } from '#ui/page/layout.tsx'

const tabs = [
  { label: 'All events', to: '/events', isExact: true },
  { label: 'Dead letters', to: '/events/dead-letters' },
] as const

export function AreaTabs() {
  return useCan('handle-dead-letters') ? <TabLinks label="Events area" tabs={tabs} /> : null
}
