/** Knowledge: collections, the viewer's files, and each collection. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requirePerson } from '../guards.ts'
import { flagOf, pageOf, sortOf, textOf } from '../search-params.ts'
import type { Search } from './root.ts'
import { shellRoute } from './shell.ts'

const area = createRoute({ getParentRoute: () => shellRoute, path: '/knowledge', beforeLoad: requirePerson })
const inArea = () => area

const list = createRoute({
  getParentRoute: inArea,
  path: '/',
  validateSearch: (search: Search): { search?: string; page?: number; sort?: string; new?: true } => ({
    ...textOf(search, 'search'),
    ...pageOf(search),
    ...sortOf(search, 'name', 'updated'),
    ...flagOf(search, 'new'),
  }),
  component: lazyRouteComponent(() => import('../pages/knowledge/list.tsx'), 'KnowledgePage'),
})
const files = createRoute({
  getParentRoute: inArea,
  path: '/files',
  validateSearch: (
    search: Search,
  ): { search?: string; page?: number; sort?: string; status?: string; file?: string } => ({
    ...textOf(search, 'search'),
    ...pageOf(search),
    ...sortOf(search, 'name', 'status', 'size', 'type', 'created'),
    ...textOf(search, 'status'),
    ...textOf(search, 'file'),
  }),
  component: lazyRouteComponent(() => import('../pages/knowledge/files.tsx'), 'FilesPage'),
})
const one = createRoute({
  getParentRoute: inArea,
  path: '/$collectionId',
  validateSearch: (search: Search): { search?: string; file?: string } => ({
    ...textOf(search, 'search'),
    ...textOf(search, 'file'),
  }),
  component: lazyRouteComponent(() => import('../pages/knowledge/collection.tsx'), 'CollectionPage'),
})

export const knowledgeRoute = area.addChildren([list, files, one])
