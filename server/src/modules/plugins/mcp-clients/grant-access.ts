/**
 * OAuth 2.1 for MCP clients: the person allows a client in the browser, and the client exchanges the code for an API key
 * that is good for `/mcp` alone. The key is listed and revoked like any other. A code counts once, and for ten minutes.
 */
import { createHash } from 'node:crypto'
import type { ClientConsent, ClientTokenForm } from '@chancery/contract/mcp-clients.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { equalsInConstantTime, hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { PluginsContext } from '../context.ts'
import { insertMcpCode, takeMcpCodeUnscoped } from '../queries/mcp-codes.ts'
import { openClient } from './client.ts'

export const mcpPath = '/mcp'
const codeMs = 600_000

interface Granted {
  key: string
  clientId: string
  redirectUri: string
  challenge: string
}

type Context = Pick<PluginsContext, 'kernel' | 'accounts'>

const sealedAs = (codeHash: string): string => `mcp-code:${codeHash}`

/** Returns where the browser goes next. Throws `mcp_client_invalid`. */
export const grantAccess = async (
  { kernel, accounts }: Context,
  actor: Actor,
  { consent, from }: { consent: ClientConsent; from: Origin },
): Promise<string> => {
  const { db, clock, sealer, externalUrl } = kernel
  const client = openClient(kernel, consent)
  const resource = consent.resource?.replace(/\/+$/, '') ?? externalUrl
  if (resource !== externalUrl && resource !== externalUrl + mcpPath) throw new AppError('mcp_client_invalid')
  const request = { name: `${client.name} (MCP)`, allowed_routes: [mcpPath] }
  const { key } = await accounts.createApiKey(actor, { request, from })
  const code = randomToken()
  const codeHash = hashToken(code)
  const granted: Granted = {
    key,
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

/** Undefined where the code is unknown, used, too old, or another client's. */
export const redeemCode = async (
  { kernel }: Pick<PluginsContext, 'kernel'>,
  form: z.output<typeof ClientTokenForm>,
): Promise<string | undefined> => {
  const { db, clock, sealer } = kernel
  const codeHash = hashToken(form.code ?? '')
  const sealed = await takeMcpCodeUnscoped(db, { codeHash, now: clock.now() })
  if (sealed === undefined) return undefined
  const granted = JSON.parse(sealer.open(sealed, sealedAs(codeHash))) as Granted
  const challenge = createHash('sha256')
    .update(form.code_verifier ?? '')
    .digest('base64url')
  const isTheirs =
    granted.clientId === form.client_id &&
    granted.redirectUri === form.redirect_uri &&
    equalsInConstantTime(challenge, granted.challenge)
  return isTheirs ? granted.key : undefined
}
