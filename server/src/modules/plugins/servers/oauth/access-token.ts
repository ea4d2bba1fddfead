/** The token of one person for one server, refreshed before it expires. */
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { ToolServerRecord } from '../../catalog.ts'
import type { PluginsContext } from '../../context.ts'
import {
  deleteServerTokens,
  findServerTokens,
  lockServerTokens,
  saveServerTokens,
} from '../../queries/server-sign-ins.ts'
import { type Grant, takeStep } from './grant.ts'

/** A call that begins just before the end must not fail on its way. */
const earlyMs = 60_000

interface Whose {
  actor: Pick<Actor, 'id'>
  serverId: string
}

const sealedAs = ({ actor, serverId }: Whose): string => `tool-server-grant:${serverId}:${actor.id}`

export const sealGrant = ({ sealer }: Pick<Kernel, 'sealer'>, whose: Whose, grant: Grant): string =>
  sealer.seal(JSON.stringify(grant), sealedAs(whose))

export const openGrant = ({ sealer }: Pick<Kernel, 'sealer'>, whose: Whose, sealed: string): Grant =>
  JSON.parse(sealer.open(sealed, sealedAs(whose))) as Grant

export const expiryOf = (now: Date, { expires_in: seconds }: OAuthTokens): Date | null =>
  seconds === undefined ? null : new Date(now.getTime() + seconds * 1000)

export const signInRequired = ({ name }: Pick<ToolServerRecord, 'name'>): AppError =>
  new AppError('tool_sign_in_required', {
    detail: `Sign in to ${name} first: open Account, Plugins, and connect it there.`,
  })

type Server = Pick<ToolServerRecord, 'id' | 'name' | 'url'>

/** Throws `tool_sign_in_required` where the person has not signed in, or the server has ended their access. */
export const accessTokenOf = async (
  { kernel }: Pick<PluginsContext, 'kernel'>,
  actor: Actor,
  server: Server,
): Promise<string> => {
  const { db, clock } = kernel
  const key = { serverId: server.id, url: server.url }
  const isFresh = ({ expiresAt }: { expiresAt: Date | null }) =>
    expiresAt === null || expiresAt.getTime() - earlyMs > clock.now().getTime()
  const tokenIn = (sealed: string): string =>
    openGrant(kernel, { actor, serverId: server.id }, sealed).tokens?.access_token ?? ''

  const known = await findServerTokens(db, actor, key)
  if (known && isFresh(known)) return tokenIn(known.sealed)
  const token = await db.transaction().execute(async (tx) => {
    // A refresh token may count once only: of two requests the second waits, and finds the new tokens.
    const row = await lockServerTokens(tx, actor, key)
    if (!row || isFresh(row)) return row && tokenIn(row.sealed)
    const whose = { actor, serverId: server.id }
    const step = await takeStep(kernel, { server, grant: openGrant(kernel, whose, row.sealed) })
    if (step.kind === 'authorized' && step.grant.tokens) {
      const { client, tokens } = step.grant
      const sealed = sealGrant(kernel, whose, { ...(client && { client }), tokens })
      await saveServerTokens(tx, actor, {
        ...key,
        sealed,
        expiresAt: expiryOf(clock.now(), tokens),
        updatedAt: clock.now(),
      })
      return tokens.access_token
    }
    const hasRefreshToken = openGrant(kernel, whose, row.sealed).tokens?.refresh_token !== undefined
    if (step.kind === 'sign-in' && !step.wasRefused && hasRefreshToken)
      throw new Error('its authorization server could not be reached.')
    await deleteServerTokens(tx, actor, server.id)
    return undefined
  })
  if (token === undefined) throw signInRequired(server)
  return token
}
