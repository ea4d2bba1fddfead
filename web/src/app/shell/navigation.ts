/** The links of the rail below the areas, which depend on the viewer's role. */
import { can } from '@chancery/contract/abilities.ts'
import { Building2, Home, type LucideIcon, ShieldCheck } from 'lucide-react'
import type { Viewer } from '#data/viewer.ts'

interface NavItem {
  to: '/home' | '/organization' | '/platform'
  label: string
  goKey: string
  icon: LucideIcon
}

const home: NavItem = { to: '/home', label: 'Home', goKey: 'h', icon: Home }
const organization: NavItem = { to: '/organization', label: 'Organization', goKey: 'o', icon: Building2 }
const platform: NavItem = { to: '/platform', label: 'Platform', goKey: 'p', icon: ShieldCheck }

export const homeOf = (viewer: Viewer): NavItem | undefined => (viewer.kind === 'person' ? home : undefined)

export function managementOf(viewer: Viewer): NavItem[] {
  if (viewer.kind === 'admin') return [platform]
  return viewer.organizationId === null ? [] : [organization]
}

interface SubPage {
  path: string
  label: string
  goKey?: string
}

const platformPages: SubPage[] = [
  { path: 'status', label: 'Status' },
  { path: 'users', label: 'Users', goKey: 'u' },
  { path: 'organizations', label: 'Organizations', goKey: 'o' },
  { path: 'admins', label: 'Admins' },
  { path: 'connections', label: 'Connections', goKey: 'n' },
  { path: 'models', label: 'Models' },
  { path: 'plugins', label: 'Plugins' },
  { path: 'tool-servers', label: 'Tool servers' },
  { path: 'usage', label: 'Usage' },
  { path: 'ratings', label: 'Ratings' },
  { path: 'settings', label: 'Settings', goKey: 's' },
  { path: 'audit', label: 'Audit log' },
  { path: 'mail', label: 'Emails', goKey: 'm' },
]
const organizationPages: SubPage[] = [
  { path: 'members', label: 'Members', goKey: 'm' },
  { path: 'groups', label: 'Groups' },
  { path: 'departments', label: 'Departments' },
  { path: 'usage', label: 'Usage' },
  { path: 'ratings', label: 'Ratings' },
  { path: 'webhooks', label: 'Webhooks' },
  { path: 'sign-in', label: 'Sign-in', goKey: 's' },
]

/** The pages inside the organization and the console, for the palette. */
export function subPagesOf(viewer: Viewer) {
  const within = (parent: NavItem, pages: readonly SubPage[]) =>
    pages.map(({ path, label, goKey }) => ({
      to: `${parent.to}/${path}`,
      label: `${parent.label}: ${label}`,
      icon: parent.icon,
      goKey,
    }))
  if (viewer.kind === 'admin') return within(platform, platformPages)
  return can(viewer, 'manage-organization') ? within(organization, organizationPages) : []
}
