/** People found by the palette: colleagues, or for platform admins everybody. */
import { useRouter } from '@tanstack/react-router'
import { CircleUser } from 'lucide-react'
import { useFoundPeople } from '#data/people.ts'
import { useViewer } from '#data/viewer.ts'
import { useFoundUsers } from '#features/console/api.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import type { Command } from './commands.ts'

const few = 6

export function usePeopleCommands(text: string): Command[] {
  const viewer = useViewer()
  const router = useRouter()
  const wanted = text.trim()
  const search = useDebounced(wanted)
  const hasColleagues = viewer.kind === 'person' && viewer.organizationId !== null
  const colleagues = useFoundPeople(search, { isOn: hasColleagues && search !== '' }).data?.people ?? []
  const users = useFoundUsers(search, viewer.kind === 'admin')
  if (wanted === '') return []
  return [
    ...users.map((user) => ({ ...user, to: `/platform/users/${user.id}` })),
    ...(hasColleagues ? colleagues : []).map((person) => ({
      ...person,
      to: `/organization/members?search=${encodeURIComponent(person.email)}`,
    })),
  ]
    .slice(0, few)
    .map(({ id, name, email, to }) => ({
      group: 'People',
      id,
      label: `${name} (${email})`,
      icon: CircleUser,
      run: () => router.history.push(to),
    }))
}
