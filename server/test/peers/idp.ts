/**
 * A real OpenID provider (`oidc-provider`) that looks like a realm of a company's identity provider: issuer
 * `http://127.0.0.1:<port>/realms/<realm>`, the usual endpoint paths, `azp` and `sid` in its ID tokens, back-channel
 * logout, and the admin REST interface over the same people. A test can switch its faults on at any time.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { type AdminFaults, createAdmin } from './idp-admin.ts'
import { createDirectory, type IdpDirectory, type IdpPerson } from './idp-directory.ts'
import { type IdpClientOptions, providerSettings } from './idp-settings.ts'

export interface IdpFaults extends AdminFaults {
  /** Hangs up on every connection. */
  isDown?: boolean
  /** Waits before each answer. */
  slowMs?: number
  /** Rewrites the claims of ID tokens; they are signed again with the real key. */
  idToken?: (claims: JWTPayload) => object
  /** Breaks the signature of ID tokens, or signs them with the client's secret. */
  signature?: 'tampered' | 'HS256'
  /** Answers discovery instead of the provider. */
  discovery?: (response: ServerResponse) => void
}

export interface IdpOptions extends IdpClientOptions {
  realm?: string
  /** Realm roles that exist. */
  roles?: readonly string[]
  /** Instead of the exact list of its client. */
  allowsRedirect?: RegExp
}

export interface Idp extends IdpDirectory {
  origin: string
  issuer: string
  clientId: string
  clientSecret: string
  adminClientId: string
  adminClientSecret: string
  faults: IdpFaults
  adminCalls: string[]
  /** `METHOD /path`, of everything asked. */
  requests: string[]
  /** Sets the address of the provider's back-channel logout; it is known once the app has its own. */
  sendLogoutsTo(url: string): void
  /** A logout token signed by this provider, with the given claims and header. */
  logoutToken(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>
  /** Forgets faults, people and what was seen. */
  reset(): void
  close(): Promise<void>
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The sign-in page: one field for an address or subject, and no password. */
const signInPage =
  '<!doctype html><title>Sign in</title><form method="post"><input name="login"><button>Go</button></form>'

const newKey = async () => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { privateKey, key: { ...(await exportJWK(privateKey)), kid: 'key-1', alg: 'RS256', use: 'sig' } }
}
/** All providers of a worker sign with it: making one takes as long as starting an app. */
let sharedKey: ReturnType<typeof newKey> | undefined

export const startIdp = async (options: IdpOptions = {}): Promise<Idp> => {
  const { realm = 'acme', roles = ['ROLE_ORG_ADMIN', 'ROLE_USER'] } = options
  sharedKey ??= newKey()
  const { privateKey, key } = await sharedKey
  const directory = createDirectory()
  const faults: IdpFaults = {}
  const adminCalls: string[] = []
  const requests: string[] = []
  let logoutTarget: string | undefined

  const server = createServer((request, response) => {
    serve(request, response).catch((problem: unknown) => {
      if (!response.headersSent) response.writeHead(400)
      response.end(String(problem))
    })
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const prefix = `/realms/${realm}`
  const issuer = origin + prefix

  const settings = providerSettings({ options, key, prefix, directory, backchannelUri: `${origin}/relay-logout` })
  const provider = new Provider(issuer, settings.configuration)
  const { allowsRedirect } = options
  if (allowsRedirect) provider.Client.prototype.redirectUriAllowed = (uri: string) => allowsRedirect.test(uri)
  provider.on('server_error', (_context, problem) => console.error(problem))

  const sign = (claims: JWTPayload, header: Record<string, unknown> = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.kid, ...header }).sign(privateKey)

  const rewriteIdToken = async (token: string): Promise<string> => {
    const claims = (faults.idToken ? faults.idToken(decodeJwt(token)) : decodeJwt(token)) as JWTPayload
    if (faults.signature === 'HS256')
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(settings.clientSecret))
    const signed = faults.idToken ? await sign(claims, { typ: 'JWT' }) : token
    const [head, body, signature = ''] = signed.split('.')
    const broken = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    return [head, body, faults.signature === 'tampered' ? broken : signature].join('.')
  }
  provider.use(async (context, next) => {
    await next()
    const body = context.body as { id_token?: string } | undefined
    if (context.path.endsWith('/token') && body?.id_token) body.id_token = await rewriteIdToken(body.id_token)
  })
  // After the middleware: it is taken as it is then.
  const callback = provider.callback()

  const admin = createAdmin({
    directory,
    roles,
    faults,
    calls: adminCalls,
    isToken: async (token) => (await provider.ClientCredentials.find(token))?.isValid === true,
  })

  const signIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(200, { 'content-type': 'text/html' }).end(signInPage)
    const form = new URLSearchParams(await new Response(request as unknown as ReadableStream).text())
    const person = directory.findByLogin(form.get('login') ?? '')
    const result = person?.enabled
      ? { login: { accountId: person.id } }
      : { error: 'access_denied', error_description: 'no such person' }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }

  const relayLogout = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await new Response(request as unknown as ReadableStream).text()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = logoutTarget ? await fetch(logoutTarget, { method: 'POST', body, headers }) : undefined
    response.writeHead(reply?.status ?? 500).end()
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = request.url ?? '/'
    if (faults.isDown) return void request.socket.destroy()
    requests.push(`${request.method} ${url.split('?')[0]}`)
    if (faults.slowMs) await wait(faults.slowMs)
    if (url.startsWith('/relay-logout')) return relayLogout(request, response)
    if (url.startsWith(`/admin${prefix}/`)) return admin(request, response, url.slice(`/admin${prefix}`.length))
    if (!url.startsWith(`${prefix}/`)) return void response.writeHead(404).end()
    if (faults.discovery && url.includes('/.well-known/')) return faults.discovery(response)
    Object.assign(request, { originalUrl: url, url: url.slice(prefix.length) })
    if (request.url?.startsWith('/interaction/')) return signIn(request, response)
    await callback(request, response)
  }

  return {
    ...directory,
    origin,
    issuer,
    faults,
    adminCalls,
    requests,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    adminClientId: settings.adminClientId,
    adminClientSecret: settings.adminClientSecret,
    sendLogoutsTo: (url) => {
      logoutTarget = url
    },
    logoutToken: (claims, header) => sign(claims, { typ: 'logout+jwt', ...header }),
    reset: () => {
      for (const name of Object.keys(faults)) delete faults[name as keyof IdpFaults]
      directory.people.clear()
      adminCalls.length = 0
      requests.length = 0
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export type { IdpPerson }
