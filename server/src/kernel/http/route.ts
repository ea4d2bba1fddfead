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

export interface CookieOptions {
  /** Null makes it a session cookie. */
  expiresAt: Date | null
}

/** The rest of the request that a handler may need. */
export interface HttpCall {
  requestId: string
  ip: string
  userAgent: string | null
  /** Aborted when the client is gone. */
  signal: AbortSignal
  setTokenCookie(token: string, options: CookieOptions): void
  clearTokenCookie(): void
}

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
  Reply extends z.ZodType | undefined,
> {
  method: Method
  path: Path
  access: A
  /** One line for the API documentation. */
  summary: string
  limits?: readonly RouteLimit[]
  query?: Query
  body?: Body
  /** Absent: the reply is empty and the status 204. */
  reply?: Reply
  status?: 200 | 201 | 202
  handle(call: Call<A, Path, Query, Body>): Promise<Reply extends z.ZodType ? z.input<Reply> : void>
}

/** A route whose types have been checked and then forgotten, so that routes can stand in one list. */
export interface Route
  extends Omit<
    RouteSpec<Access, string, z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined>,
    'handle'
  > {
  handle(call: unknown): Promise<unknown>
}

export const route = <
  A extends Access,
  const Path extends string,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Reply extends z.ZodType | undefined = undefined,
>(
  spec: RouteSpec<A, Path, Query, Body, Reply>,
): Route => spec as unknown as Route
