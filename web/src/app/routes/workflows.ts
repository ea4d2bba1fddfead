/** Workflows: the list, each workflow with its tabs, approvals, and catalogs. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requirePerson } from '../guards.ts'
import { flagOf, pageOf, sortOf, textOf } from '../search-params.ts'
import type { Search } from './root.ts'
import { shellRoute } from './shell.ts'

const area = createRoute({ getParentRoute: () => shellRoute, path: '/workflows', beforeLoad: requirePerson })
const inArea = () => area

const list = createRoute({
  getParentRoute: inArea,
  path: '/',
  validateSearch: (search: Search): { search?: string; status?: string; page?: number; sort?: string; new?: true } => ({
    ...textOf(search, 'search'),
    ...textOf(search, 'status'),
    ...pageOf(search),
    ...sortOf(search, 'name', 'status', 'updated'),
    ...flagOf(search, 'new'),
  }),
  component: lazyRouteComponent(() => import('../pages/workflows/list.tsx'), 'WorkflowsPage'),
})
const approvals = createRoute({
  getParentRoute: inArea,
  path: '/approvals',
  validateSearch: (search: Search): { state?: string; open?: string; page?: number } => ({
    ...textOf(search, 'state'),
    ...textOf(search, 'open'),
    ...pageOf(search),
  }),
  component: lazyRouteComponent(() => import('../pages/workflows/approvals.tsx'), 'ApprovalsPage'),
})
const catalogs = createRoute({
  getParentRoute: inArea,
  path: '/catalogs',
  validateSearch: (search: Search): { catalog?: string; credential?: string; space?: string } => ({
    ...textOf(search, 'catalog'),
    ...textOf(search, 'credential'),
    ...textOf(search, 'space'),
  }),
  component: lazyRouteComponent(() => import('../pages/workflows/catalogs.tsx'), 'CatalogsPage'),
})

const one = createRoute({
  getParentRoute: inArea,
  path: '/$workflowId',
  component: lazyRouteComponent(() => import('../pages/workflows/frame.tsx'), 'WorkflowFrame'),
})
const workflowParent = () => one

const editor = createRoute({
  getParentRoute: workflowParent,
  path: '/',
  validateSearch: (search: Search): { node?: string } => textOf(search, 'node'),
  component: lazyRouteComponent(() => import('../pages/workflows/editor.tsx'), 'EditorPage'),
})
const triggers = createRoute({
  getParentRoute: workflowParent,
  path: '/triggers',
  validateSearch: (search: Search): { open?: string } => textOf(search, 'open'),
  component: lazyRouteComponent(() => import('../pages/workflows/triggers.tsx'), 'TriggersPage'),
})
const review = createRoute({
  getParentRoute: workflowParent,
  path: '/review',
  validateSearch: (search: Search): { node?: string } => textOf(search, 'node'),
  component: lazyRouteComponent(() => import('../pages/workflows/review.tsx'), 'ReviewPage'),
})
const versions = createRoute({
  getParentRoute: workflowParent,
  path: '/versions',
  validateSearch: (search: Search): { from?: string; to?: string; node?: string } => ({
    ...textOf(search, 'from'),
    ...textOf(search, 'to'),
    ...textOf(search, 'node'),
  }),
  component: lazyRouteComponent(() => import('../pages/workflows/versions.tsx'), 'VersionsPage'),
})
const runs = createRoute({
  getParentRoute: workflowParent,
  path: '/runs',
  validateSearch: (search: Search): { status?: string; trigger?: string; from?: string; to?: string } => ({
    ...textOf(search, 'status'),
    ...textOf(search, 'trigger'),
    ...textOf(search, 'from'),
    ...textOf(search, 'to'),
  }),
  component: lazyRouteComponent(() => import('../pages/workflows/runs.tsx'), 'RunsPage'),
})
const run = createRoute({
  getParentRoute: workflowParent,
  path: '/runs/$runId',
  validateSearch: (search: Search): { step?: string } => textOf(search, 'step'),
  component: lazyRouteComponent(() => import('../pages/workflows/run.tsx'), 'RunPage'),
})
const stats = createRoute({
  getParentRoute: workflowParent,
  path: '/stats',
  validateSearch: (search: Search): { period?: string } => textOf(search, 'period'),
  component: lazyRouteComponent(() => import('../pages/workflows/stats.tsx'), 'StatsPage'),
})

export const workflowsRoute = area.addChildren([
  list,
  approvals,
  catalogs,
  one.addChildren([editor, triggers, review, versions, runs, run, stats]),
])
