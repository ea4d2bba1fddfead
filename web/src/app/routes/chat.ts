/** Chats: a new one, and each by its ID. Platform admins have no chats. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requirePerson } from '../guards.ts'
import { textOf } from '../search-params.ts'
import type { Search } from './root.ts'
import { shellRoute } from './shell.ts'

const chat = createRoute({
  getParentRoute: () => shellRoute,
  path: '/chat',
  beforeLoad: requirePerson,
  component: lazyRouteComponent(() => import('../pages/chat/frame.tsx'), 'ChatFrame'),
})
const getParentRoute = () => chat

const fresh = createRoute({
  getParentRoute,
  path: '/',
  validateSearch: (search: Search): { models?: string; about?: string } => ({
    ...textOf(search, 'models'),
    ...textOf(search, 'about'),
  }),
  component: lazyRouteComponent(() => import('../pages/chat/new.tsx'), 'NewChatPage'),
})
const one = createRoute({
  getParentRoute,
  path: '/$chatId',
  component: lazyRouteComponent(() => import('../pages/chat/chat.tsx'), 'ChatPage'),
})

export const chatRoute = chat.addChildren([fresh, one])
