import { expect, it } from 'vitest'
import { areaOf } from './area.ts'

it.each([
  ['/api/v1/chats/:id/messages', 'chats'],
  ['/api/chat/completions', 'chat'],
  ['/api/auth/me', 'auth'],
  ['/api/admin/users/:id', 'admin/users'],
  ['/api/public/hooks/:token', 'public/hooks'],
  ['/api/v1/:anything', 'api'],
  ['/health', 'health'],
  ['/', 'web'],
])('%s belongs to %s', (path, area) => expect(areaOf(path)).toBe(area))
