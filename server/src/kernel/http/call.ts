/** The rest of a request that a handler may need: where it came from, its headers, files and cookies. */
import type { Readable } from 'node:stream'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Caller } from './access.ts'
import type { Actor } from './actor.ts'
import type { UploadedFile } from './bodies/upload.ts'
import { tokenCookie } from './gate/credential.ts'
import { asAppError } from './replies/error-reply.ts'
import type { CookieFlags, HttpCall } from './route.ts'

const longestUserAgent = 400

/** Shared by all requests of one route. */
export interface RouteContext {
  config: Config
  /** Runs the gate again. */
  authorize(request: FastifyRequest): Caller | undefined | Promise<Caller | undefined>
}

/** One is created for every request, so nothing is computed before it is needed. */
export class RequestCall implements HttpCall {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #route: RouteContext
  #cookies: Record<string, string | undefined> | undefined

  constructor(request: FastifyRequest, reply: FastifyReply, context: RouteContext) {
    this.#request = request
    this.#reply = reply
    this.#route = context
  }

  get requestId(): string {
    return this.#request.id
  }

  get ip(): string {
    return this.#request.ip
  }

  get userAgent(): string | null {
    return this.#request.headers['user-agent']?.slice(0, longestUserAgent) ?? null
  }

  get method(): string {
    return this.#request.method
  }

  get url(): string {
    return this.#request.url
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  headerNames(): readonly string[] {
    return Object.keys(this.#request.headers)
  }

  get bytes(): Buffer {
    return Buffer.isBuffer(this.#request.body) ? this.#request.body : Buffer.alloc(0)
  }

  get incoming(): Readable {
    return this.#request.body as Readable
  }

  get files(): readonly UploadedFile[] {
    return this.#request.files ?? []
  }

  get json(): unknown {
    return this.#request.json
  }

  get signal(): AbortSignal {
    const gone = new AbortController()
    // Of the reply: a request may be closed as soon as its body has been read.
    const { raw } = this.#reply
    if (raw.destroyed && !raw.writableFinished) gone.abort()
    else raw.once('close', () => raw.writableFinished || gone.abort())
    return gone.signal
  }

  async isStillAuthorized(): Promise<boolean> {
    const before = this.#request.actor
    try {
      const now = await this.#route.authorize(this.#request)
      return isSameCaller(now, before)
    } catch (problem) {
      // A failure to look the caller up is no refusal: the database may be away for a moment.
      return asAppError(problem).status >= 500
    }
  }

  get cookies(): Record<string, string | undefined> {
    this.#cookies ??= parseCookie(this.#request.headers.cookie ?? '')
    return this.#cookies
  }

  setCookie(name: string, value: string, flags: CookieFlags): void {
    const { expiresAt, ...rest } = flags
    const cookie = { name, value, path: '/', httpOnly: true, ...rest, ...(expiresAt ? { expires: expiresAt } : {}) }
    this.#reply.header('set-cookie', stringifySetCookie(cookie))
  }

  clearCookie(name: string, flags: CookieFlags): void {
    const cookie = { name, value: '', path: '/', httpOnly: true, ...flags, maxAge: 0, expires: new Date(0) }
    this.#reply.header('set-cookie', stringifySetCookie(cookie))
  }

  setTokenCookie(token: string, { expiresAt }: { expiresAt: Date | null }): void {
    this.setCookie(tokenCookie, token, { ...this.#tokenFlags(), ...(expiresAt ? { expiresAt } : {}) })
  }

  clearTokenCookie(): void {
    this.clearCookie(tokenCookie, this.#tokenFlags())
  }

  #tokenFlags(): CookieFlags {
    return {
      secure: this.#route.config.SVC_AUTH_COOKIE_SECURE,
      sameSite: this.#route.config.SVC_AUTH_COOKIE_SAME_SITE,
    }
  }
}

type Comparable = Pick<Caller, 'id'> & Partial<Pick<Actor, 'role' | 'organizationId'>>

/** The same caller with the same rights: a changed role or organization means other rights. */
const isSameCaller = (one: Comparable | undefined, other: Comparable | undefined): boolean =>
  one?.id === other?.id && one?.role === other?.role && one?.organizationId === other?.organizationId
