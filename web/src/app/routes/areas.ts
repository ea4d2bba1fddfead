/** Pages outside of the areas: the start page, and chats that others share. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requirePerson } from '../guards.ts'
import { shellRoute } from './shell.ts'

const getParentRoute = () => shellRoute

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

export const areaRoutes = [home, sharedChat] as const
