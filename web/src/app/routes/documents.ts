/** Documents to sign: the list, templates, and each document. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requirePerson } from '../guards.ts'
import { sortOf, textOf } from '../search-params.ts'
import type { Search } from './root.ts'
import { shellRoute } from './shell.ts'

const area = createRoute({ getParentRoute: () => shellRoute, path: '/documents', beforeLoad: requirePerson })
const inArea = () => area

const list = createRoute({
  getParentRoute: inArea,
  path: '/',
  validateSearch: (search: Search): { search?: string; state?: string; folder?: string; sort?: string } => ({
    ...textOf(search, 'search'),
    ...textOf(search, 'state'),
    ...textOf(search, 'folder'),
    ...sortOf(search, 'title', 'updated'),
  }),
  component: lazyRouteComponent(() => import('../pages/documents/list.tsx'), 'DocumentsPage'),
})
const inbox = createRoute({
  getParentRoute: inArea,
  path: '/inbox',
  component: lazyRouteComponent(() => import('../pages/documents/inbox.tsx'), 'InboxPage'),
})
const templates = createRoute({
  getParentRoute: inArea,
  path: '/templates',
  validateSearch: (search: Search): { search?: string } => textOf(search, 'search'),
  component: lazyRouteComponent(() => import('../pages/documents/templates.tsx'), 'TemplatesPage'),
})
const write = createRoute({
  getParentRoute: inArea,
  path: '/write',
  component: lazyRouteComponent(() => import('../pages/documents/write.tsx'), 'WritePage'),
})
const one = createRoute({
  getParentRoute: inArea,
  path: '/$documentId',
  component: lazyRouteComponent(() => import('../pages/documents/document.tsx'), 'DocumentPage'),
})

export const documentsRoute = area.addChildren([list, inbox, templates, write, one])
