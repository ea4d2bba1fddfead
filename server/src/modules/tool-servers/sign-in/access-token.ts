/** The token of one person for one server, refreshed before it expires. */
import { setTimeout as delay } from 'node:timers/promises'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { orAborted } from '#kernel/or-aborted.ts'
import type { ToolServerRecord } from '../catalog.ts'
import type { ToolServersContext } from '../context.ts'
import {
  type Claim,
  claimRefresh,
  deleteRefusedTokens,
  findServerTokens,
  releaseRefresh,
  saveRefreshedTokens,
} from '../queries/server-sign-ins.ts'
import { type Grant, takeStep } from './grant.ts'

/** A call that begins just before the end must not fail on its way. */
const earlyMs = 60_000

interface Whose {
  actor: Pick<Actor, 'id'>
  serverId: string
}

const place = { purpose: 'tool-server-grant', columns: ['sealed'], by: ['server_id', 'user_id'] }
storedSeal({ ...place, table: 'tool_server_logins' })
const grantOf = storedSeal({ ...place, table: 'tool_server_tokens' })
const sealedAs = ({ actor, serverId }: Whose) => grantOf(serverId, actor.id)

export const sealGrant = ({ sealer }: Pick<Kernel, 'sealer'>, whose: Whose, grant: Grant): string =>
  sealer.seal(JSON.stringify(grant), sealedAs(whose))

export const openGrant = ({ sealer }: Pick<Kernel, 'sealer'>, whose: Whose, sealed: string): Grant =>
  parseOwn(sealer.open(sealed, sealedAs(whose))) as Grant

export const expiryOf = (now: Date, { expires_in: seconds }: OAuthTokens): Date | null =>
  seconds === undefined ? null : new Date(now.getTime() + seconds * 1000)

export const signInRequired = ({ name }: Pick<ToolServerRecord, 'name'>): AppError =>
  new AppError('tool_sign_in_required', {
    detail: `Sign in to ${name} first: open Account, Plugins, and connect it there.`,
  })

type Server = Pick<ToolServerRecord, 'id' | 'name' | 'url'>

/** Another request is looked at this often, and no longer than its claim can last. */
const lookMs = 100
const longestMs = 35_000

interface Asked {
  actor: Actor
  server: Server
  /** Aborted when the caller stops waiting for the token. */
  signal?: AbortSignal
}

const never = new AbortController().signal

/** Throws `tool_sign_in_required` where the person has not signed in, or the server has ended their access. */
export const accessTokenOf = async (
  { kernel }: Pick<ToolServersContext, 'kernel'>,
  { actor, server, signal = never }: Asked,
): Promise<string> => {
  const { db, clock } = kernel
  const key = { serverId: server.id, url: server.url }
  const isFresh = ({ expiresAt }: { expiresAt: Date | null }) =>
    expiresAt === null || expiresAt.getTime() - earlyMs > clock.now().getTime()

  const tokenIn = (sealed: string) =>
    openGrant(kernel, { actor, serverId: server.id }, sealed).tokens?.access_token ?? ''
  for (let waitedMs = 0; waitedMs < longestMs; waitedMs += lookMs) {
    const known = await findServerTokens(db, actor, key)
    if (!known) throw signInRequired(server)
    if (isFresh(known)) return tokenIn(known.sealed)
    // A refresh token may count once only: of two requests the second waits, and finds the new tokens.
    const claimed = await claimRefresh(db, actor, key)
    if (claimed) {
      const claim = { serverId: server.id, refreshingUntil: claimed.refreshingUntil }
      if (isFresh(claimed)) {
        await releaseRefresh(db, actor, claim)
        return tokenIn(claimed.sealed)
      }
      // It is finished without its caller too: a refresh token that was sent is used up, and its answer must be stored.
      const token = await orAborted(refresh(kernel, { actor, server, sealed: claimed.sealed, claim }), signal)
      if (token !== undefined) return token
    }
    await delay(lookMs, undefined, { signal })
  }
  throw new Error('its sign-in could not be refreshed in time.')
}

interface Refresh {
  actor: Actor
  server: Server
  sealed: string
  claim: Claim
}

/**
 * By the one who claimed it. Nothing is locked while the server is asked: it may be slow. Undefined where the claim was lost
 * meanwhile: what is stored then counts, and not what this request got.
 */
const refresh = async (kernel: Kernel, { actor, server, sealed, claim }: Refresh): Promise<string | undefined> => {
  const { db, clock } = kernel
  const whose = { actor, serverId: server.id }
  const grant = openGrant(kernel, whose, sealed)
  try {
    const step = await takeStep(kernel, { server, grant })
    if (step.kind === 'authorized' && step.grant.tokens) {
      const { client, tokens } = step.grant
      const now = clock.now()
      const isSaved = await saveRefreshedTokens(db, actor, {
        claim,
        sealed: sealGrant(kernel, whose, { ...(client && { client }), tokens }),
        expiresAt: expiryOf(now, tokens),
        updatedAt: now,
      })
      return isSaved ? tokens.access_token : undefined
    }
    if (step.kind === 'sign-in' && !step.wasRefused && grant.tokens?.refresh_token !== undefined)
      throw new Error('its authorization server could not be reached.')
  } catch (problem) {
    await releaseRefresh(db, actor, claim)
    throw problem
  }
  await deleteRefusedTokens(db, actor, claim)
  throw signInRequired(server)
}
