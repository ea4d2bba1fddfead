/** One authorised call to the provider's admin interface. The service account's token is kept until it is almost over. */
import { z } from 'zod'
import type { Clock } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import { hostPortOf, type Outbound, type OutboundReply } from '#kernel/outbound/index.ts'

interface Deps {
  outbound: Outbound
  clock: Clock
}

interface ServiceAccount {
  issuer: string
  clientId: string
  clientSecret: string
}

export interface DirectoryReply {
  status: number
  body: unknown
  location: string | undefined
}

export interface DirectoryCalls {
  /** `path` follows `/admin/realms/<realm>`. Throws `idp_unavailable` when there is no answer at all. */
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<DirectoryReply>
}

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().default(60) })
const spareMs = 30_000
const limits = { maxBytes: 8 * 1024 * 1024, maxRedirects: 0, firstByteMs: 15_000, totalMs: 30_000 }

const away = (cause: unknown): never => {
  throw new AppError('idp_unavailable', { cause })
}

export const createDirectoryCalls = ({ outbound, clock }: Deps, account: ServiceAccount): DirectoryCalls => {
  const { issuer, clientId, clientSecret } = account
  const base = issuer.replace('/realms/', '/admin/realms/')
  const trusted = hostPortOf(issuer)
  let kept: { token: string; until: number } | undefined

  const fetchToken = async (): Promise<string> => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const reply = await outbound.fetch(`${issuer}/protocol/openid-connect/token`, {
      method: 'POST',
      trusted,
      ...limits,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
    })
    const token = Token.safeParse(await readJson(reply))
    if (reply.status !== 200 || !token.success)
      throw new AppError('idp_unavailable', { detail: 'The service account was refused.' })
    kept = { token: token.data.access_token, until: clock.now().getTime() + token.data.expires_in * 1000 - spareMs }
    return kept.token
  }

  const sendOnce: (token: string, call: Parameters<DirectoryCalls['send']>) => Promise<DirectoryReply> = async (
    token,
    [method, path, body],
  ) => {
    const reply = await outbound.fetch(base + path, {
      method,
      trusted,
      ...limits,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: reply.status, body: await readJson(reply), location: reply.headers.get('location') }
  }

  return {
    send: async (...call) => {
      try {
        const isFresh = kept !== undefined && clock.now().getTime() < kept.until
        const first = await sendOnce(isFresh && kept ? kept.token : await fetchToken(), call)
        // Revoked before its time: once, with a new one.
        return first.status === 401 ? await sendOnce(await fetchToken(), call) : first
      } catch (problem) {
        if (problem instanceof AppError && problem.code === 'idp_unavailable') throw problem
        return away(problem)
      }
    },
  }
}

/** Bodies of errors may be anything; only those of successes are looked at, and checked there. */
const readJson = async (reply: OutboundReply): Promise<unknown> => {
  const text = await reply.text()
  try {
    return parseForeign(text)
  } catch {
    return undefined
  }
}
