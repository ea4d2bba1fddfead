/** OAuth 2 client credentials: one token for all runs on all nodes, fetched again shortly before it ends. */
import { setTimeout as delay } from 'node:timers/promises'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { isTransientStatus, NodeFailure } from '#modules/runs/index.ts'
import {
  type CredentialRow,
  claimTokenUnscoped,
  findCredentialUnscoped,
  saveTokenUnscoped,
} from '../queries/credentials.ts'
import { sealedAs } from './sealed-as.ts'

type Needs = Pick<Kernel, 'db' | 'sealer' | 'clock' | 'outbound'>

interface AccessToken {
  token: string
  sealedToken: string
}

/** A request that begins just before the end must not fail on its way. */
const earlyMs = 30_000
/** The lifetime of a token whose server doesn't say. */
const defaultLifeSec = 300
const maxLifeSec = 86_400
/** Somebody else fetches it: looked at this often, and no longer than their claim can last. */
const lookMs = 100
const longestMs = 40_000
const requestMs = 30_000
const maxBytes = 64 * 1024

export const getAccessToken = async (
  needs: Needs,
  credential: CredentialRow,
  signal: AbortSignal,
): Promise<AccessToken> => {
  let row: CredentialRow | undefined = credential
  for (let waitedMs = 0; row && waitedMs < longestMs; waitedMs += lookMs) {
    requireSame(row, credential)
    const known = openToken(needs, row)
    if (known) return known
    const claimed = await claimTokenUnscoped(needs.db, row)
    if (claimed) return (await useClaimed(needs, claimed)) ?? fetchToken(needs, claimed, signal)
    await delay(lookMs, undefined, { signal })
    row = await findCredentialUnscoped(needs.db, row)
  }
  throw new NodeFailure('No access token could be fetched in time.', { canRetry: true })
}

/** The caller has checked the server and the switch of the credential as it was. */
const requireSame = (row: CredentialRow, checked: CredentialRow): void => {
  if (row.updatedAt.getTime() !== checked.updatedAt.getTime()) throw changedMeanwhile()
}

const changedMeanwhile = (): NodeFailure =>
  new NodeFailure('The credential was changed while an access token was fetched.', { canRetry: true })

const openToken = (
  { sealer, clock }: Needs,
  { id, sealedToken, tokenEndsAt }: CredentialRow,
): AccessToken | undefined =>
  sealedToken === null || tokenEndsAt === null || tokenEndsAt.getTime() - earlyMs <= clock.now().getTime()
    ? undefined
    : { token: sealer.open(sealedToken, sealedAs(id)), sealedToken }

/** The one before may have saved its token between our look and our claim. */
const useClaimed = async (needs: Needs, claimed: CredentialRow): Promise<AccessToken | undefined> => {
  const known = openToken(needs, claimed)
  if (known) await saveTokenUnscoped(needs.db, claimed, undefined)
  return known
}

/** Nothing is locked while the server is asked: it may be slow. */
const fetchToken = async (needs: Needs, row: CredentialRow, signal: AbortSignal): Promise<AccessToken> => {
  const { db, sealer, clock } = needs
  try {
    const { token, lifeSec } = await requestToken(needs, row, signal)
    const sealedToken = sealer.seal(token, sealedAs(row.id))
    // Half of a short life, so that a token that lives for less than the margin is used at all.
    const marginMs = Math.max(0, earlyMs - lifeSec * 500)
    const tokenEndsAt = new Date(clock.now().getTime() + lifeSec * 1000 + marginMs)
    if (!(await saveTokenUnscoped(db, row, { sealedToken, tokenEndsAt }))) throw changedMeanwhile()
    return { token, sealedToken }
  } catch (problem) {
    await saveTokenUnscoped(db, row, undefined)
    throw problem
  }
}

const requestToken = async (
  { outbound, sealer }: Needs,
  { id, fields, sealedSecret }: CredentialRow,
  signal: AbortSignal,
): Promise<{ token: string; lifeSec: number }> => {
  const secret = sealer.open(sealedSecret, sealedAs(id))
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (fields.scope) form.set('scope', fields.scope)
  if (fields.audience) form.set('audience', fields.audience)
  const client = [fields.client_id ?? '', secret].map(formEncoded).join(':')
  const reply = await outbound.fetch(fields.token_url ?? '', {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(client).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: form.toString(),
    maxBytes,
    maxRedirects: 0,
    totalMs: requestMs,
    signal,
  })
  const answer = readAnswer(await reply.text())
  if (reply.status === 200 && typeof answer.access_token === 'string' && /^[\x21-\x7e]+$/.test(answer.access_token))
    return { token: answer.access_token, lifeSec: lifeOf(answer.expires_in) }
  throw new NodeFailure(`The token server responded with status ${reply.status}${reasonIn(answer)}.`, {
    canRetry: isTransientStatus(reply.status),
    output: { code: 'credential_refused' },
  })
}

/** RFC 6749, 2.3.1: both parts are form-encoded before they are joined. */
const formEncoded = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2)

const readAnswer = (text: string): Record<string, unknown> => {
  try {
    const answer: unknown = parseForeign(text)
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const lifeOf = (expiresIn: unknown): number => {
  const seconds = Number(expiresIn)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, maxLifeSec) : defaultLifeSec
}

/** Its error code and nothing else: a description may repeat what was sent. */
const reasonIn = ({ error }: Record<string, unknown>): string =>
  typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? ` (${error})` : ''
