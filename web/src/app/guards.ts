/** Route guards. The server decides what a person may see; these only redirect to the right page. */
import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { landingOf, type Side, type Viewer, viewerQuery, wasHere } from '#data/viewer.ts'
import { safeReturnTo } from '#lib/browser/return-to.ts'

interface Visit {
  context: { queryClient: QueryClient }
  location: { href: string; pathname: string }
}

interface ReturnSearch {
  return_to?: string
}

/** Pages inside the shell. */
export async function requireViewer({ context, location }: Visit): Promise<{ viewer: Viewer }> {
  const viewer = await context.queryClient.ensureQueryData(viewerQuery)
  if (viewer?.needsFactor) throw redirect({ to: '/second-factor', search: wanted(location) })
  if (viewer) return { viewer }
  const to = location.pathname.startsWith('/platform') ? '/platform/sign-in' : '/sign-in'
  throw redirect({ to, search: wanted(location) })
}

const wanted = ({ pathname, href }: Visit['location']): { return_to?: string } =>
  pathname === '/' ? {} : { return_to: href }

/** The page that asks for a second factor: only for sessions that need one. */
export async function requireLackingFactor({ context, search }: Pick<Visit, 'context'> & { search: ReturnSearch }) {
  const viewer = await context.queryClient.ensureQueryData(viewerQuery)
  if (!viewer) throw redirect({ to: '/sign-in', search })
  if (!viewer.needsFactor) throw redirect({ href: safeReturnTo(search.return_to) ?? landingOf(viewer), replace: true })
  return { viewer }
}

/** `/`: each role has its own start page. */
export async function goToLanding(visit: Visit): Promise<never> {
  const { viewer } = await requireViewer(visit)
  throw redirect({ to: landingOf(viewer), replace: true })
}

/**
 * Sign-in pages: someone who is already signed in is redirected. A browser that never signed in isn't worth a request.
 */
export const skipIfSignedIn =
  (side: Side) =>
  async ({ context, search }: Pick<Visit, 'context'> & { search: ReturnSearch }) => {
    if (!wasHere()) return
    const viewer = await context.queryClient.ensureQueryData(viewerQuery).catch(() => null)
    if (viewer?.kind !== side) return
    throw redirect({ href: safeReturnTo(search.return_to) ?? landingOf(viewer), replace: true })
  }

/** Settings that an organization's admins have for all of its people. */
export function requireOwnSettings({ context }: { context: { viewer: Viewer } }) {
  requirePerson({ context })
  if (context.viewer.kind === 'person' && context.viewer.organizationId !== null)
    throw redirect({ to: '/account', replace: true })
}

/** Pages for people with an account; platform admins don't have these. */
export function requirePerson({ context }: { context: { viewer: Viewer } }) {
  if (context.viewer.kind !== 'person') throw redirect({ to: '/platform', replace: true })
}
