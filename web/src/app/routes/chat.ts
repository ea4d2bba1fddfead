/** Chats: a new one, one that isn't saved, and each by its ID. Platform admins have no chats. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requirePerson, requireViewer } from '../guards.ts'
import { textOf } from '../search-params.ts'
import { rootRoute, type Search } from './root.ts'
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
const temporary = createRoute({
  getParentRoute,
  path: '/temporary',
  validateSearch: (search: Search): { models?: string } => textOf(search, 'models'),
  component: lazyRouteComponent(() => import('../pages/chat/temporary.tsx'), 'TemporaryChatPage'),
})
const one = createRoute({
  getParentRoute,
  path: '/$chatId',
  component: lazyRouteComponent(() => import('../pages/chat/chat.tsx'), 'ChatPage'),
})

/** Without the shell: only the conversation is printed. */
export const printChatRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/chat/$chatId/print',
  beforeLoad: requireViewer,
  component: lazyRouteComponent(() => import('../pages/chat/print.tsx'), 'PrintChatPage'),
})

export const chatRoute = chat.addChildren([fresh, temporary, one])
