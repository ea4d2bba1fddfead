/** The declaration of an endpoint. It reads as a list of guarantees, and `access` cannot be left out. */
import type { Readable } from 'node:stream'
import type { Method, ParamsOf, ReplyKind } from '@chancery/contract/endpoint.ts'
import type { ErrorBody } from '@chancery/contract/errors.ts'
import type { z } from 'zod'
import type { AppError } from '../errors.ts'
import type { Access, ActorFor } from './access.ts'
import type { UploadedFile, UploadSpec } from './bodies/upload.ts'
import type { RawReply } from './replies/raw-reply.ts'

/** At most `max` calls in `windowSec`, counted per address or per caller. */
export interface RouteLimit {
  per: 'address' | 'actor'
  max: number
  windowSec: number
}

/** Path `/` and HttpOnly unless told otherwise. Without an end it is a session cookie. */
export interface CookieFlags {
  secure: boolean
  sameSite: 'lax' | 'strict' | 'none'
  expiresAt?: Date
  path?: string
}

/** The rest of the request that a handler may need. */
export interface HttpCall {
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | null
  readonly method: string
  /** The path and query as they were sent. */
  readonly url: string
  /** One header of the request, by its lower-case name. */
  header(name: string): string | undefined
  /** The lower-case names of all headers. */
  headerNames(): readonly string[]
  /** The body of a route that accepts bytes; empty without one. */
  readonly bytes: Buffer
  /** The body of a route that accepts a stream. */
  readonly incoming: Readable
  /** The files of a route that takes uploads, already stored. Those that are not claimed are deleted after the handler. */
  readonly files: readonly UploadedFile[]
  /** What came instead of a form, unchecked; undefined where a form came. */
  readonly json: unknown
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal
  /** True while the credential still gives the same caller access: for long-running replies. */
  isStillAuthorized(): Promise<boolean>
  /** As the browser sent them. */
  readonly cookies: Record<string, string | undefined>
  setCookie(name: string, value: string, flags: CookieFlags): void
  /** With the flags it was set with. */
  clearCookie(name: string, flags: CookieFlags): void
  /** The login cookie. A null end makes it a session cookie. */
  setTokenCookie(token: string, options: { expiresAt: Date | null }): void
  clearTokenCookie(): void
}

/** The reply of a route with `reply: 'redirect'`: 302 to this address. */
export interface Redirect {
  redirectTo: string
}

/** What holds for a route that writes, besides its access. A caller without an account is the use case's to judge. */
export interface WriteRules {
  /**
   * Whether it needs a proven address where SVC_REQUIRE_VERIFIED_EMAIL is on: it invites, sends, shares, publishes or
   * reminds. Sometimes: only with some bodies, so the use case asks.
   */
  reachesOthers: boolean | 'sometimes'
  /**
   * An organization whose trial has ended may read everything and change nothing; calling a model is a change. Allowed is
   * what only takes rights away, looks at something, stops something, or concerns the caller's own account.
   */
  whenReadOnly: 'allowed' | 'refused'
}

type Rules = { method: 'GET'; writes?: never } | { method: Exclude<Method, 'GET'>; writes: WriteRules }

type Outcome<Reply extends ReplyKind> = Reply extends z.ZodType
  ? Promise<z.input<Reply>>
  : Reply extends 'redirect'
    ? Promise<Redirect>
    : Reply extends 'raw'
      ? Promise<RawReply>
      : Promise<void>

export type Accepts = 'json' | 'form' | 'bytes' | 'stream'
export type ErrorShape = (body: ErrorBody, error: AppError) => unknown

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

interface Call<A extends Access, Path extends string, Query, Body> {
  actor: ActorFor<A>
  params: ParamsOf<Path>
  query: Parsed<Query>
  body: Parsed<Body>
  http: HttpCall
}

interface RouteSpec<
  A extends Access,
  Path extends string,
  Query extends z.ZodType | undefined,
  Body extends z.ZodType | undefined,
  Reply extends ReplyKind,
> {
  method: Method
  path: Path
  access: A
  /** Required unless the method is GET. */
  writes?: WriteRules
  /** One line for the API documentation. */
  summary: string
  limits?: readonly RouteLimit[]
  query?: Query
  body?: Body
  /** Open to a session that still lacks the second factor that is asked of the account. */
  whileLackingFactor?: true
  /** The person has to have proved within five minutes who they are; a key can't. */
  needsFreshProof?: true
  /**
   * The form of the body. A form's fields arrive as an object of strings; bytes and streams of any content type are
   * read through `http`.
   */
  accepts?: Accepts
  /** Integers of the JSON body that a number can't hold come as a bigint, not rounded. */
  keepsIntegers?: true
  /** One mebibyte unless told otherwise. A stream is not counted. */
  maxBodyBytes?: number
  /** Items and fields of a JSON body. 200,000 unless told otherwise. */
  maxBodyParts?: number
  /** Takes a multipart form instead: files come as `http.files`, text fields as `body`. */
  upload?: UploadSpec
  /** Headers that carry a key here besides the configured one. */
  keyHeaders?: readonly string[]
  /** The shape of errors for this route's callers, where another API's clients expect that API's. */
  errorShape?: ErrorShape
  /** The content type of errors, where those clients expect one of their own. */
  errorType?: string
  /** The `WWW-Authenticate` header of its 401, for clients that find out there how to sign in. */
  challenge?: string
  /** Absent: the reply is empty and the status 204. Raw: the handler says it all, down to the bytes. */
  reply?: Reply
  status?: 200 | 201 | 202
  /** The handler reads the `Idempotency-Key`; the endpoint says so. */
  takesKey?: true
  handle(call: Call<A, Path, Query, Body>): Outcome<Reply>
}

/** A route after its types have been checked, so that routes of different types fit in one list. */
export interface Route
  extends Omit<RouteSpec<Access, string, z.ZodType | undefined, z.ZodType | undefined, ReplyKind>, 'handle'> {
  handle(call: unknown): Promise<unknown>
}

export const route = <
  A extends Access,
  const Path extends string,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Reply extends ReplyKind = undefined,
>(
  spec: RouteSpec<A, Path, Query, Body, Reply> & Rules,
): Route => spec as unknown as Route
