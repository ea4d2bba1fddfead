/** The record and the dead letters; these are for whoever looks after them. */
import { usePerson } from '#lib/viewer.ts'
import { TabLinks } from '#ui/layout.tsx'
import { isOrgAdmin } from '../../shell/places.ts'

const tabs = [
  { label: 'Record', to: '/events', isExact: true },
  { label: 'Dead letters', to: '/events/dead-letters' },
] as const

export function AreaTabs() {
  const person = usePerson()
  const isCaretaker = person.organizationId === null || isOrgAdmin(person)
  return isCaretaker ? <TabLinks label="Events area" tabs={tabs} /> : null
}
