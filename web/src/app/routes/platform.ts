/** The platform console, for platform admins. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { AuditSearch } from '#features/console/api.ts'
import { readRatingSearch } from '../ratings-search.ts'
import { flagOf, pageOf, sortOf, textOf } from '../search-params.ts'
import { readUsageSearch, type UsageSearch } from '../usage-search.ts'
import type { Search } from './root.ts'
import { shellRoute } from './shell.ts'

const platform = createRoute({
  getParentRoute: () => shellRoute,
  path: '/platform',
  component: lazyRouteComponent(() => import('../pages/platform/frame.tsx'), 'PlatformFrame'),
})
const getParentRoute = () => platform

const validateList = (search: Search): { page?: number; search?: string } => ({
  ...pageOf(search),
  ...textOf(search, 'search'),
})

const overview = createRoute({
  getParentRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/platform/overview.tsx'), 'OverviewPage'),
})
const status = createRoute({
  getParentRoute,
  path: '/status',
  validateSearch: ({ span }: Search): { span?: 'month' } => (span === 'month' ? { span } : {}),
  component: lazyRouteComponent(() => import('../pages/platform/status.tsx'), 'StatusPage'),
})
const users = createRoute({
  getParentRoute,
  path: '/users',
  validateSearch: (search: Search): ReturnType<typeof validateList> & { sort?: string } => ({
    ...validateList(search),
    ...sortOf(search, 'name', 'role', 'status', 'lastLogin', 'created'),
  }),
  component: lazyRouteComponent(() => import('../pages/platform/users.tsx'), 'UsersPage'),
})
const organizations = createRoute({
  getParentRoute,
  path: '/organizations',
  validateSearch: (search: Search): ReturnType<typeof validateList> & { sort?: string } => ({
    ...validateList(search),
    ...sortOf(search, 'name', 'plan', 'signIn', 'created'),
  }),
  component: lazyRouteComponent(() => import('../pages/platform/organizations.tsx'), 'OrganizationsPage'),
})
const user = createRoute({
  getParentRoute,
  path: '/users/$userId',
  validateSearch: (search: Search): { page?: number } => pageOf(search),
  component: lazyRouteComponent(() => import('../pages/platform/user.tsx'), 'UserPage'),
})
const organization = createRoute({
  getParentRoute,
  path: '/organizations/$organizationId',
  component: lazyRouteComponent(() => import('../pages/platform/organization.tsx'), 'OrganizationPage'),
})
const settings = createRoute({
  getParentRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/platform/settings.tsx'), 'SettingsPage'),
})
const admins = createRoute({
  getParentRoute,
  path: '/admins',
  validateSearch: (search: Search): { new?: true } => flagOf(search, 'new'),
  component: lazyRouteComponent(() => import('../pages/platform/admins.tsx'), 'AdminsPage'),
})
const audit = createRoute({
  getParentRoute,
  path: '/audit',
  validateSearch: (search: Search): AuditSearch => ({
    ...validateList(search),
    ...textOf(search, 'area'),
    ...textOf(search, 'person'),
    ...textOf(search, 'from'),
    ...textOf(search, 'to'),
    ...sortOf(search, 'time', 'action', 'actor', 'ip'),
  }),
  component: lazyRouteComponent(() => import('../pages/platform/audit.tsx'), 'AuditPage'),
})
const mail = createRoute({
  getParentRoute,
  path: '/mail',
  validateSearch: (search: Search): { page?: number; mail?: string; sort?: string } => ({
    ...pageOf(search),
    ...textOf(search, 'mail'),
    ...sortOf(search, 'created', 'to', 'subject', 'status'),
  }),
  component: lazyRouteComponent(() => import('../pages/platform/mail.tsx'), 'MailPage'),
})
const heldBack = createRoute({
  getParentRoute,
  path: '/held-back',
  validateSearch: (search: Search): { page?: number } => pageOf(search),
  component: lazyRouteComponent(() => import('../pages/platform/held-back.tsx'), 'HeldBackPage'),
})

const connections = createRoute({
  getParentRoute,
  path: '/connections',
  validateSearch: (search: Search): { open?: string } => textOf(search, 'open'),
  component: lazyRouteComponent(() => import('../pages/platform/connections.tsx'), 'ConnectionsPage'),
})
const models = createRoute({
  getParentRoute,
  path: '/models',
  validateSearch: (search: Search): { open?: string; search?: string } => ({
    ...textOf(search, 'open'),
    ...textOf(search, 'search'),
  }),
  component: lazyRouteComponent(() => import('../pages/platform/models.tsx'), 'ModelsPage'),
})
const plugins = createRoute({
  getParentRoute,
  path: '/plugins',
  component: lazyRouteComponent(() => import('../pages/platform/plugins.tsx'), 'PluginsPage'),
})
const newPlugin = createRoute({
  getParentRoute,
  path: '/plugins/new',
  component: lazyRouteComponent(() => import('../pages/platform/new-plugin.tsx'), 'NewPluginPage'),
})
const toolServers = createRoute({
  getParentRoute,
  path: '/tool-servers',
  validateSearch: (search: Search): { open?: string } => textOf(search, 'open'),
  component: lazyRouteComponent(() => import('../pages/platform/tool-servers.tsx'), 'ToolServersPage'),
})
const pluginTabs = ['source', 'settings', 'try', 'log'] as const
const plugin = createRoute({
  getParentRoute,
  path: '/plugins/edit/$pluginId',
  validateSearch: ({ tab }: Search): { tab?: (typeof pluginTabs)[number] } => {
    const known = pluginTabs.find((name) => name === tab)
    return known === undefined ? {} : { tab: known }
  },
  component: lazyRouteComponent(() => import('../pages/platform/plugin.tsx'), 'PluginPage'),
})
const ratings = createRoute({
  getParentRoute,
  path: '/ratings',
  validateSearch: readRatingSearch,
  component: lazyRouteComponent(() => import('../pages/platform/ratings.tsx'), 'PlatformRatingsPage'),
})
const usage = createRoute({
  getParentRoute,
  path: '/usage',
  validateSearch: (search: Search): UsageSearch => readUsageSearch(search),
  component: lazyRouteComponent(() => import('../pages/platform/usage.tsx'), 'PlatformUsagePage'),
})

export const platformRoute = platform.addChildren([
  overview,
  status,
  users,
  user,
  organizations,
  organization,
  admins,
  connections,
  models,
  plugins,
  newPlugin,
  plugin,
  toolServers,
  usage,
  ratings,
  settings,
  audit,
  mail,
  heldBack,
])
