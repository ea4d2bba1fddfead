/** The areas of the app. One that isn't available yet has a placeholder page. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requirePerson } from '../guards.ts'
import { shellRoute } from './shell.ts'

const getParentRoute = () => shellRoute
const component = lazyRouteComponent(() => import('../pages/coming.tsx'), 'ComingPage')

const home = createRoute({
  getParentRoute,
  path: '/home',
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/home.tsx'), 'HomePage'),
})
const sharedChat = createRoute({
  getParentRoute,
  path: '/shared/$shareId',
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/shared-chat.tsx'), 'SharedChatPage'),
})
const knowledge = createRoute({ getParentRoute, path: '/knowledge', component })

export const areaRoutes = [home, sharedChat, knowledge] as const
