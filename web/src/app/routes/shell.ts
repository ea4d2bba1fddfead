/** The layout of every page after sign-in. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requireViewer } from '../guards.ts'
import { rootRoute } from './root.ts'

export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: requireViewer,
  component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell'),
})
