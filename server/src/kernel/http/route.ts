/** The one way to declare an endpoint. It reads as a list of guarantees, and `access` cannot be left out. */
import type { z } from 'zod'
import type { Access, ActorFor } from './access.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `/a/:id/b/:key` → `{ id: string, key: string }` */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : Record<never, never>

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
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal
  /** As the browser sent them. */
  readonly cookies: Record<string, string | undefined>
  setCookie(name: string, value: string, flags: CookieFlags): void
  /** With the flags it was set with. */
  clearCookie(name: string, flags: CookieFlags): void
  /** The login cookie. A null end makes it a session cookie. */
  setTokenCookie(token: string, options: { expiresAt: Date | null }): void
  clearTokenCookie(): void
}

/** What a route with `reply: 'redirect'` answers: 302 to this address. */
export interface Redirect {
  redirectTo: string
}

type ReplyKind = z.ZodType | 'redirect' | undefined
type Outcome<Reply extends ReplyKind> = Reply extends z.ZodType
  ? Promise<z.input<Reply>>
  : Reply extends 'redirect'
    ? Promise<Redirect>
    : Promise<void>

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
  /** One line for the API documentation. */
  summary: string
  limits?: readonly RouteLimit[]
  query?: Query
  body?: Body
  /** How the body comes; a form's fields arrive as an object of strings. */
  accepts?: 'json' | 'form'
  /** Absent: the reply is empty and the status 204. */
  reply?: Reply
  status?: 200 | 201 | 202
  handle(call: Call<A, Path, Query, Body>): Outcome<Reply>
}

/** A route whose types have been checked and then forgotten, so that routes can stand in one list. */
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
  spec: RouteSpec<A, Path, Query, Body, Reply>,
): Route => spec as unknown as Route
