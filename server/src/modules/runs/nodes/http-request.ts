/** Calls another server, through the SSRF guard. */
import { AppError } from '#kernel/errors.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { OutboundReply } from '#kernel/outbound/index.ts'
import { chainHeader, sealChain } from '#modules/event-bus/index.ts'
import { isTransientStatus, NodeFailure } from '../core/backoff.ts'
import { causeOf } from '../shared/cause.ts'
import type { Definitions, SignedRequest } from '../shared/definitions.ts'
import type { ConfigOf, Executor, NodeCall } from '../shared/node-interface.ts'

type Call = NodeCall<ConfigOf<'http_request'>>
type Needs = Pick<Kernel, 'config' | 'outbound' | 'sealer' | 'externalUrl'> & Pick<Definitions, 'signRequestUnscoped'>

const maxBytes = 2 * 1024 * 1024
const silenceMs = 60_000
const maxTotalMs = 600_000

export const httpRequest =
  (needs: Needs): Executor<ConfigOf<'http_request'>> =>
  async (call) => {
    const { config, signal } = call
    const url = call.render(config.url)
    const body = bodyOf(call)
    const signed = await signFor(needs, call, url)
    if (signed) call.hideFromRun(signed.secrets)
    const headers = { ...headersOf(call, body), ...signed?.headers, ...traceFor(needs, call, url) }
    const reply = await needs.outbound.fetch(url, {
      method: config.method ?? 'GET',
      headers,
      body: body?.text,
      maxBytes,
      signal,
      firstByteMs: silenceMs,
      idleMs: silenceMs,
      totalMs: maxTotalMs,
    })
    const output = {
      status: reply.status,
      headers: Object.fromEntries([...reply.headers].filter(([name]) => name !== 'set-cookie')),
      body: await readBody(reply),
    }
    const canSignAgain = reply.status === 401 && (await signed?.onRefused())
    if (reply.status >= 400)
      throw new NodeFailure(`The server responded with status ${reply.status}.`, {
        canRetry: isTransientStatus(reply.status) || canSignAgain === true,
        retryAfterMs: retryAfterOf(reply),
        output,
      })
    return { kind: 'done', output }
  }

const signFor = (needs: Needs, { config, run, signal }: Call, url: string): Promise<SignedRequest> | undefined =>
  config.credential_id === undefined
    ? undefined
    : needs.signRequestUnscoped({ scopeId: run.scopeId, credentialId: config.credential_id, url, signal })

interface Body {
  text: string
  type: string
}

const bodyOf = ({ config, fill }: Call): Body | undefined => {
  if (config.body === undefined || config.body === null || (config.method ?? 'GET') === 'GET') return undefined
  const filled = fill(config.body)
  if (typeof filled === 'string') return { text: filled, type: 'text/plain; charset=utf-8' }
  return { text: JSON.stringify(filled), type: 'application/json' }
}

/** The idempotency key is the same for each attempt and each retry of the run, so that the server can recognize them. */
const headersOf = ({ config, render, run, node }: Call, body: Body | undefined): Record<string, string> => {
  const configured = Object.entries(config.headers ?? {}).map(([name, template]) => {
    const value = render(template)
    if (/[\r\n\0]/.test(value))
      throw new AppError('node_failed', { detail: `The header ${name} contains a line break.` })
    return [name.toLowerCase(), value] as const
  })
  return {
    'idempotency-key': `${run.retryOf ?? run.id}:${node.id}`,
    ...(body && { 'content-type': body.type }),
    ...Object.fromEntries(configured),
    ...(config.authorization && { authorization: config.authorization }),
  }
}

/** Calls to this instance carry the chain of runs for the loop guard; other servers don't get it. */
const traceFor = (needs: Needs, { run }: Call, url: string): Record<string, string> =>
  isOurs(needs, url) ? { [chainHeader]: sealChain(needs.sealer, causeOf(run)) } : {}

const isOurs = ({ externalUrl, config }: Needs, text: string): boolean => {
  const url = URL.parse(text)
  if (url === null) return false
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname) && url.port === String(config.PORT)
  return isHere || url.origin === new URL(externalUrl).origin
}

const readBody = async (reply: OutboundReply): Promise<unknown> => {
  const text = await reply.text()
  if (!/\bjson\b/i.test(reply.headers.get('content-type') ?? '')) return text
  try {
    return parseForeign(text, { exactly: true })
  } catch (problem) {
    if (problem instanceof AppError) throw problem
    return text
  }
}

const retryAfterOf = ({ headers }: OutboundReply): number | undefined => {
  const value = headers.get('retry-after')
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined
}
