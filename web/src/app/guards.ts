/** Who may open which page. The server decides what they may see; these only send people to the right door. */
import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { safeReturnTo } from '#lib/return-to.ts'
import { landingOf, type Side, type Viewer, viewerQuery, wasHere } from '#lib/viewer.ts'

interface Visit {
  context: { queryClient: QueryClient }
  location: { href: string; pathname: string }
}

/** Pages inside the shell. */
export async function requireViewer({ context, location }: Visit): Promise<{ viewer: Viewer }> {
  const viewer = await context.queryClient.ensureQueryData(viewerQuery)
  if (viewer) return { viewer }
  const to = location.pathname.startsWith('/platform') ? '/platform/sign-in' : '/sign-in'
  throw redirect({ to, search: location.pathname === '/' ? {} : { return_to: location.href } })
}

/** `/`: each role has its own first page. */
export async function goToLanding(visit: Visit): Promise<never> {
  const { viewer } = await requireViewer(visit)
  throw redirect({ to: landingOf(viewer), replace: true })
}

/** Sign-in pages: somebody who is in already goes on. A browser that never signed in is not worth a question. */
export const skipIfSignedIn =
  (side: Side) =>
  async ({ context, search }: Pick<Visit, 'context'> & { search: { return_to?: string } }) => {
    if (!wasHere()) return
    const viewer = await context.queryClient.ensureQueryData(viewerQuery).catch(() => null)
    if (viewer?.kind !== side) return
    throw redirect({ href: safeReturnTo(search.return_to) ?? landingOf(viewer), replace: true })
  }

/** Pages of people with an account; a platform admin has none of these. */
export function requirePerson({ context }: { context: { viewer: Viewer } }) {
  if (context.viewer.kind !== 'person') throw redirect({ to: '/platform', replace: true })
}
