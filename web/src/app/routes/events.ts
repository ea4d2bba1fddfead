/** The events area: the log with its filters, one event, one process, and dead letters. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requirePerson } from '../guards.ts'
import { flagOf, pageOf, textOf } from '../search-params.ts'
import type { Search } from './root.ts'
import { shellRoute } from './shell.ts'

const area = createRoute({ getParentRoute: () => shellRoute, path: '/events', beforeLoad: requirePerson })
const getParentRoute = () => area

export interface EventSearch {
  type?: string
  correlation?: string
  source?: string
  payload?: string
  from?: string
  before?: string
  event?: string
  paused?: true
}

const explorer = createRoute({
  getParentRoute,
  path: '/',
  validateSearch: (search: Search): EventSearch => ({
    ...textOf(search, 'type'),
    ...textOf(search, 'correlation'),
    ...textOf(search, 'source'),
    ...textOf(search, 'payload'),
    ...textOf(search, 'from'),
    ...textOf(search, 'before'),
    ...textOf(search, 'event'),
    ...flagOf(search, 'paused'),
  }),
  component: lazyRouteComponent(() => import('../pages/events/explorer.tsx'), 'EventsPage'),
})
const timeline = createRoute({
  getParentRoute,
  path: '/timeline/$correlationId',
  component: lazyRouteComponent(() => import('../pages/events/timeline.tsx'), 'TimelinePage'),
})
const deadLetters = createRoute({
  getParentRoute,
  path: '/dead-letters',
  validateSearch: (search: Search): { page?: number } => pageOf(search),
  component: lazyRouteComponent(() => import('../pages/events/dead-letters.tsx'), 'DeadLettersPage'),
})

export const eventsRoute = area.addChildren([explorer, timeline, deadLetters])
