/** The places of the rail below the areas, which depend on who is looking. */
import { Building2, Home, type LucideIcon, ShieldCheck } from 'lucide-react'
import type { Viewer } from '#lib/viewer.ts'

interface Place {
  to: '/home' | '/organization' | '/platform'
  label: string
  goKey: string
  icon: LucideIcon
}

const home: Place = { to: '/home', label: 'Home', goKey: 'h', icon: Home }
const organization: Place = { to: '/organization', label: 'Organization', goKey: 'o', icon: Building2 }
const platform: Place = { to: '/platform', label: 'Platform', goKey: 'p', icon: ShieldCheck }

export const homeOf = (viewer: Viewer): Place | undefined => (viewer.kind === 'person' ? home : undefined)

export function officesOf(viewer: Viewer): Place[] {
  if (viewer.kind === 'admin') return [platform]
  return viewer.organizationId === null ? [] : [organization]
}

export const isOrgAdmin = (viewer: Viewer): boolean => viewer.role === 'ROLE_ORG_ADMIN'

interface Room {
  name: string
  goKey?: string
}

const platformRooms: Room[] = [
  { name: 'users', goKey: 'u' },
  { name: 'organizations', goKey: 'o' },
  { name: 'admins' },
  { name: 'connections', goKey: 'n' },
  { name: 'models' },
  { name: 'usage' },
  { name: 'settings', goKey: 's' },
  { name: 'audit' },
  { name: 'mail', goKey: 'm' },
]
const organizationRooms: Room[] = [
  { name: 'members', goKey: 'm' },
  { name: 'groups' },
  { name: 'departments' },
  { name: 'usage' },
  { name: 'sign-in', goKey: 's' },
]

/** The pages inside an office, for the palette. */
export function roomsOf(viewer: Viewer) {
  const within = ({ to, label, icon }: Place, rooms: readonly Room[]) =>
    rooms.map(({ name, goKey }) => ({ to: `${to}/${name}`, label: `${label}: ${name}`, icon, goKey }))
  if (viewer.kind === 'admin') return within(platform, platformRooms)
  return isOrgAdmin(viewer) ? within(organization, organizationRooms) : []
}
