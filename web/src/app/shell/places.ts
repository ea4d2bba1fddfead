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
