/** Account settings. Platform admins have a profile, a password and sessions; the rest is for people with an account. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requireOwnSettings, requirePerson } from '../guards.ts'
import { flagOf, textOf } from '../search-params.ts'
import { readUsageSearch, type UsageSearch } from '../usage-search.ts'
import type { Search } from './root.ts'
import { shellRoute } from './shell.ts'

const account = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('../pages/account/frame.tsx'), 'AccountFrame'),
})
const getParentRoute = () => account

const profile = createRoute({
  getParentRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/account/profile.tsx'), 'ProfilePage'),
})
const security = createRoute({
  getParentRoute,
  path: '/security',
  component: lazyRouteComponent(() => import('../pages/account/security.tsx'), 'SecurityPage'),
})
const sessions = createRoute({
  getParentRoute,
  path: '/sessions',
  component: lazyRouteComponent(() => import('../pages/account/sessions.tsx'), 'SessionsPage'),
})
const apiKeys = createRoute({
  getParentRoute,
  path: '/api-keys',
  validateSearch: (search: Search): { new?: true } => flagOf(search, 'new'),
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/account/api-keys.tsx'), 'ApiKeysPage'),
})

const prompts = createRoute({
  getParentRoute,
  path: '/prompts',
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/account/prompts.tsx'), 'PromptsPage'),
})
const memory = createRoute({
  getParentRoute,
  path: '/memory',
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/account/memory.tsx'), 'MemoryPage'),
})
const speech = createRoute({
  getParentRoute,
  path: '/speech',
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/account/speech.tsx'), 'SpeechPage'),
})
const models = createRoute({
  getParentRoute,
  path: '/models',
  validateSearch: (search: Search): { open?: string } => textOf(search, 'open'),
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/account/models.tsx'), 'OwnModelsPage'),
})
const plugins = createRoute({
  getParentRoute,
  path: '/plugins',
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/account/plugins.tsx'), 'OwnPluginsPage'),
})
const connect = createRoute({
  getParentRoute,
  path: '/connect',
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/account/connect.tsx'), 'ConnectPage'),
})
const device = createRoute({
  getParentRoute,
  path: '/device',
  validateSearch: (search: Search): { code?: string } => textOf(search, 'code'),
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/account/device.tsx'), 'DevicePage'),
})
const documents = createRoute({
  getParentRoute,
  path: '/documents',
  beforeLoad: requireOwnSettings,
  component: lazyRouteComponent(() => import('../pages/account/documents.tsx'), 'OwnDocumentsPage'),
})
const usage = createRoute({
  getParentRoute,
  path: '/usage',
  validateSearch: (search: Search): UsageSearch => readUsageSearch(search),
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/account/usage.tsx'), 'UsagePage'),
})

export const accountRoute = account.addChildren([
  profile,
  security,
  sessions,
  apiKeys,
  prompts,
  memory,
  speech,
  models,
  plugins,
  connect,
  device,
  documents,
  usage,
])
