/** The viewer's organization. For regular members the frame shows the same page on all of these routes. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requirePerson } from '../guards.ts'
import { readRatingSearch } from '../ratings-search.ts'
import { flagOf, pageOf, sortOf, textOf } from '../search-params.ts'
import { readUsageSearch, type UsageSearch } from '../usage-search.ts'
import type { Search } from './root.ts'
import { shellRoute } from './shell.ts'

const organization = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organization',
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/organization/frame.tsx'), 'OrganizationFrame'),
})
const getParentRoute = () => organization

const overview = createRoute({
  getParentRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/organization/overview.tsx'), 'OrganizationOverviewPage'),
})
interface MembersQuery {
  page?: number
  search?: string
  sort?: string
  factors?: 'some' | 'none'
  invite?: true
}
const members = createRoute({
  getParentRoute,
  path: '/members',
  validateSearch: (search: Search): MembersQuery => ({
    ...pageOf(search),
    ...textOf(search, 'search'),
    ...sortOf(search, 'name', 'role', 'status', 'lastLogin'),
    ...(search.factors === 'some' || search.factors === 'none' ? { factors: search.factors } : {}),
    ...flagOf(search, 'invite'),
  }),
  component: lazyRouteComponent(() => import('../pages/organization/members.tsx'), 'MembersPage'),
})
const validateOpen = (search: Search): { open?: string } => textOf(search, 'open')
const groups = createRoute({
  getParentRoute,
  path: '/groups',
  validateSearch: validateOpen,
  component: lazyRouteComponent(() => import('../pages/organization/units.tsx'), 'GroupsPage'),
})
const departments = createRoute({
  getParentRoute,
  path: '/departments',
  validateSearch: validateOpen,
  component: lazyRouteComponent(() => import('../pages/organization/units.tsx'), 'DepartmentsPage'),
})
const signIn = createRoute({
  getParentRoute,
  path: '/sign-in',
  validateSearch: (search: Search): { directory?: true } => flagOf(search, 'directory'),
  component: lazyRouteComponent(() => import('../pages/organization/sign-in.tsx'), 'OrganizationSignInPage'),
})

const usage = createRoute({
  getParentRoute,
  path: '/usage',
  validateSearch: (search: Search): UsageSearch => readUsageSearch(search),
  component: lazyRouteComponent(() => import('../pages/organization/usage.tsx'), 'OrganizationUsagePage'),
})

const webhooks = createRoute({
  getParentRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('../pages/organization/webhooks.tsx'), 'WebhooksPage'),
})
const ratings = createRoute({
  getParentRoute,
  path: '/ratings',
  validateSearch: readRatingSearch,
  component: lazyRouteComponent(() => import('../pages/organization/ratings.tsx'), 'OrganizationRatingsPage'),
})

export const organizationRoute = organization.addChildren([
  overview,
  members,
  groups,
  departments,
  usage,
  webhooks,
  ratings,
  signIn,
])
