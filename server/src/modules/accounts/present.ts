/** The only way from rows to JSON. Hashes and MACs have no presenter. */
import type { Me, Session, SignedIn, User } from '@chancery/contract/accounts/accounts.ts'
import type { ApiKey, NewApiKey } from '@chancery/contract/accounts/api-keys.ts'
import { deviceName } from '@chancery/contract/reading/device-name.ts'
import { unixSeconds } from '#kernel/clock.ts'
import type { Actor, Principal } from '#kernel/http/actor.ts'
import type { ApiKeyRow } from './queries/api-keys.ts'
import type { SessionRow } from './queries/sessions.ts'
import type { UserRow } from './queries/users.ts'

import type { OpenedSession } from './sessions/open-session.ts'

type Person = Omit<Principal, 'kind' | 'emailVerified'> & { emailVerified?: boolean; emailProvenAt?: Date | null }

export const presentUser = (user: Person): User => ({
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  organizationId: user.organizationId,
  status: user.status,
  emailVerified: user.emailVerified ?? (user.emailProvenAt ?? null) !== null,
  createdAt: user.createdAt.toISOString(),
})

export const presentMe = (user: Person & Partial<Pick<Actor, 'credential'>>): Me => ({
  ...presentUser(user),
  loginOtp: user.loginOtp,
  needsFactor: needsFactor(user),
})

export const needsFactor = ({ credential }: Partial<Pick<Actor, 'credential'>>): boolean =>
  (credential?.needsFactor ?? null) !== null

export const presentSignedIn = ({ user, session }: { user: UserRow; session: OpenedSession }): SignedIn => ({
  token: session.token,
  tokenType: 'Bearer',
  expiresAt: session.expiresAt?.toISOString() ?? null,
  user: presentUser(user),
})

export const presentSession = (session: SessionRow, currentId: string): Session => ({
  id: session.id,
  device: deviceName(session.userAgent),
  ip: session.ip,
  current: session.id === currentId,
  createdAt: session.createdAt.toISOString(),
  lastUsedAt: session.lastUsedAt.toISOString(),
  expiresAt: session.expiresAt?.toISOString() ?? null,
})

export const presentApiKey = (key: ApiKeyRow): ApiKey => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  allowed_routes: key.allowedRoutes,
  expires_at: key.expiresAt && unixSeconds(key.expiresAt),
  created_at: unixSeconds(key.createdAt),
  last_used_at: key.lastUsedAt && unixSeconds(key.lastUsedAt),
})

export const presentNewApiKey = ({ row, key }: { row: ApiKeyRow; key: string }): NewApiKey => ({
  ...presentApiKey(row),
  key,
})
