/**
 * An organization whose trial has ended may read everything and change nothing. This is the one check for every route,
 * by method and path; calling a model is a write. Exceptions only take rights away, look at something, or concern the
 * caller's own account.
 */
import { AppError } from '../../errors.ts'
import type { Caller } from '../access.ts'
import type { Route } from '../route.ts'

const allowed: readonly RegExp[] = [
  /^(POST|PATCH|DELETE) \/api\/auth\//,
  /^DELETE \/api\/v1\/api-keys\/:id$/,
  /^DELETE \/api\/org\/team\/invitations\/:id$/,
  /^POST \/api\/org\/team\/:userId\/deactivate$/,
  /^POST \/api\/org\/ldap\/test$/,
  /^DELETE \/api\/v1\/chats\/:chatId\/share$/,
  /^POST \/api\/tasks\/(chat\/:chatId\/stop|stop\/:taskId)$/,
  /^POST \/api\/v1\/agent-runs\/:runId\/cancel$/,
  /^POST \/api\/v1\/agent-workflows\/:id\/triggers\/(event|cron)\/test$/,
  /^POST .*\/count_tokens$/,
]

const isWriteFor = ({ method, path }: Pick<Route, 'method' | 'path'>): boolean =>
  method !== 'GET' && !allowed.some((pattern) => pattern.test(`${method} ${path}`))

/** Throws `trial_expired`. Worked out once per route, since it runs on every request. */
export const createReadOnlyCheck = (route: Pick<Route, 'method' | 'path'>): ((caller: Caller | undefined) => void) => {
  const isWrite = isWriteFor(route)
  return (caller) => {
    if (isWrite && caller && 'isReadOnly' in caller && caller.isReadOnly) throw new AppError('trial_expired')
  }
}
