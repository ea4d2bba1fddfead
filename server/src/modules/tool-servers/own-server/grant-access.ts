/**
 * OAuth 2.1 for MCP clients: the person allows a client in the browser, and the client exchanges the code for an API key
 * that is good for `/mcp` alone and for an hour, with a token to renew it. The key is made at the exchange, so a sign-in
 * that isn't finished leaves none. It is listed and revoked like any other. A code counts once, and for ten minutes.
 */
import { createHash } from 'node:crypto'
import type { ClientConsent, ClientTokenForm } from '@chancery/contract/accounts/mcp-clients.ts'
import { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { unixSeconds } from '#kernel/clock.ts'
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import { equalsInConstantTime, hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import type { ToolServersContext } from '../context.ts'
import {
  deleteMcpCodeUnscoped,
  insertMcpCode,
  lockMcpCodeUnscoped,
  markMcpCodeUsedUnscoped,
} from '../queries/mcp-codes.ts'
import { accessEnd, type ClientTokens, issueRefreshToken } from './access-tokens.ts'
import { openClient } from './client.ts'

export const mcpPath = '/mcp'
const codeMs = 600_000

/** The content of a code. A code of another version doesn't fit and is refused. */
const Granted = z.object({
  by: z.object({
    kind: z.enum(['user', 'admin']),
    id: z.string(),
    name: z.string(),
    organizationId: z.string().nullable(),
    credential: z.object({ kind: z.enum(['session', 'key']), id: z.string() }),
  }),
  clientName: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  challenge: z.string(),
})
type Granted = z.infer<typeof Granted>

type Context = Pick<ToolServersContext, 'kernel' | 'accounts'>

const sealedAs = storedSeal({ purpose: 'mcp-code', table: 'mcp_codes', columns: ['sealed'], by: ['code_hash'] })

/** Returns where the browser goes next. Throws `mcp_client_invalid`, and `key_exceeds_own_rights`. */
export const grantAccess = async (
  { kernel, accounts }: Context,
  actor: Actor,
  consent: ClientConsent,
): Promise<string> => {
  const { db, clock, sealer, externalUrl } = kernel
  const client = openClient(kernel, consent)
  const resource = consent.resource?.replace(/\/+$/, '') ?? externalUrl
  if (resource !== externalUrl && resource !== externalUrl + mcpPath) throw new AppError('mcp_client_invalid')
  accounts.requireApiKeyRights(actor, [mcpPath])
  const code = randomToken()
  const codeHash = hashToken(code)
  const granted: Granted = {
    // Only what the schema names is stored.
    by: Granted.shape.by.parse(actor),
    clientName: client.name,
    clientId: consent.client_id,
    redirectUri: consent.redirect_uri,
    challenge: consent.code_challenge,
  }
  const now = clock.now()
  await insertMcpCode(db, actor, {
    codeHash,
    sealed: sealer.seal(JSON.stringify(granted), sealedAs(codeHash)),
    now,
    expiresAt: new Date(now.getTime() + codeMs),
  })
  const back = new URL(consent.redirect_uri)
  back.searchParams.set('code', code)
  if (consent.state !== undefined) back.searchParams.set('state', consent.state)
  return back.href
}

type TokenForm = z.output<typeof ClientTokenForm>

/**
 * Returns the new tokens, or undefined where the code is unknown, used, too old, another client's, or the person has signed
 * out since. A code that is used twice may be stolen: its key is revoked.
 */
export const redeemCode = async (
  context: Context,
  { form, from }: { form: TokenForm; from: Origin },
): Promise<ClientTokens | undefined> => {
  const { kernel, accounts } = context
  const codeHash = hashToken(form.code ?? '')
  const { tokens, replayed } = await kernel.db
    .transaction()
    .execute((tx) => exchange(context, tx, { form, from, codeHash }))
  if (replayed) await accounts.revokeApiKey(replayed.by, { keyId: replayed.keyId, from })
  return tokens
}

interface Exchanged {
  tokens?: ClientTokens
  replayed?: { by: Granted['by']; keyId: string }
}

const exchange = async (
  context: Context,
  tx: Db,
  { form, from, codeHash }: { form: TokenForm; from: Origin; codeHash: string },
): Promise<Exchanged> => {
  const { kernel, accounts } = context
  const { clock, sealer } = kernel
  const code = await lockMcpCodeUnscoped(tx, { codeHash, now: clock.now() })
  if (!code) return {}
  const { data: granted } = Granted.safeParse(parseOwn(sealer.open(code.sealed, sealedAs(codeHash))))
  if (granted && code.keyId !== null) return { replayed: { by: granted.by, keyId: code.keyId } }
  const actor = granted && isTheirs(granted, form) ? await accounts.findCurrentActorUnscoped(tx, granted.by) : undefined
  if (!granted || !actor) {
    await deleteMcpCodeUnscoped(tx, codeHash)
    return {}
  }
  const expiresAt = unixSeconds(accessEnd(clock.now()))
  const request = { name: `${granted.clientName} (MCP)`, allowed_routes: [mcpPath], expires_at: expiresAt }
  const { row, key } = await accounts.createApiKey(tx, { actor, request, from })
  await markMcpCodeUsedUnscoped(tx, { codeHash, keyId: row.id })
  const owner = { keyId: row.id, userId: actor.id, clientHash: hashToken(granted.clientId) }
  return { tokens: { accessToken: key, refreshToken: await issueRefreshToken(context, tx, owner) } }
}

const isTheirs = (granted: Granted, form: TokenForm): boolean => {
  const challenge = createHash('sha256')
    .update(form.code_verifier ?? '')
    .digest('base64url')
  return (
    granted.clientId === form.client_id &&
    granted.redirectUri === form.redirect_uri &&
    equalsInConstantTime(challenge, granted.challenge)
  )
}
