/**
 * Creates the router and the query client, which depend on each other: a call that finds the session expired leads to
 * sign-in.
 */
import type { QueryClient } from '@tanstack/react-query'
import { type AnyRoute, createRouter } from '@tanstack/react-router'
import { forgetSide, lastSide, onSideForgotten, viewerQuery, wasHere } from '#data/viewer.ts'
import { createQueryClient } from '#lib/http/query-client.ts'
import { forgetTab } from '#lib/tab/forget-tab.ts'
import { toast } from '#ui/feedback/toast.ts'
import { NotFoundPage } from './pages/not-found.tsx'
import { PendingPage } from './pages/pending.tsx'
import { RouteErrorPage } from './pages/route-error.tsx'
import { routeTree } from './routes/tree.ts'

/** Plain strings in the URL, no JSON: `?search=12&page=2` stays readable and a token is never parsed as a number. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))

function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

const buildRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 300,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: RouteErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof buildRouter>
  }
}

/** Loads the page's code while the server is asked who is signed in, not after. Errors are shown by the page itself. */
function preloadPage(router: ReturnType<typeof buildRouter>, queryClient: QueryClient) {
  // First, because a browser sends only a few requests at a time.
  void queryClient.prefetchQuery(viewerQuery)
  const routes: Record<string, AnyRoute> = router.routesById
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    const route = routes[routeId]
    if (route) router.loadRouteChunk(route)?.catch(() => undefined)
  }
}

export function createApp() {
  const queryClient = createQueryClient({ onSignedOut: leave, onFactorNeeded: () => void askAgain() })
  const router = buildRouter(queryClient)
  if (wasHere()) preloadPage(router, queryClient)

  onSideForgotten(() => {
    forgetTab()
    void queryClient.invalidateQueries(viewerQuery)
  })

  /** Another tab signed in again: the guard of the page asks for the second factor. */
  async function askAgain() {
    await queryClient.invalidateQueries(viewerQuery)
    await router.invalidate()
  }

  function leave() {
    const { href, pathname } = router.latestLocation
    forgetTab()
    // Not `/organization/sign-in`, which is a page of settings.
    if (pathname === '/sign-in' || pathname === '/platform/sign-in') return
    const to = lastSide() === 'admin' ? '/platform/sign-in' : '/sign-in'
    forgetSide()
    queryClient.clear()
    toast.failed(new Error('Your session has expired. Sign in again.'))
    void router.navigate({ to, search: { return_to: href } })
  }

  return { router, queryClient }
}
