/** The tabs of the events area; dead letters are shown to people who may handle them. */
import { usePerson } from '#lib/queries/viewer.ts'
import { TabLinks } from '#ui/page/layout.tsx'
import { isOrgAdmin } from '../../shell/navigation.ts'

const tabs = [
  { label: 'All events', to: '/events', isExact: true },
  { label: 'Dead letters', to: '/events/dead-letters' },
] as const

export function AreaTabs() {
  const person = usePerson()
  const canManage = person.organizationId === null || isOrgAdmin(person)
  return canManage ? <TabLinks label="Events area" tabs={tabs} /> : null
}
