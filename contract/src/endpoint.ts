/** An endpoint as the server serves it and the web calls it: one value with exact types. */
import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Raw: bytes, or a stream. Absent: the reply is empty. */
export type ReplyKind = z.ZodType | 'redirect' | 'raw' | undefined

interface Says {
  query?: z.ZodType
  body?: z.ZodType
  reply?: ReplyKind
  status?: 200 | 201 | 202
  /** Takes an `Idempotency-Key`: for a day, the same key from the same caller gets what the first request made. */
  takesKey?: true
}

/** `/a/:id/b/:key` → `{ id: string, key: string }`; a final `*` is the rest of the address. */
export type ParamsOf<Path extends string> = Path extends `${infer Start}/*`
  ? ParamsOf<Start> & Record<'*', string>
  : NamedParams<Path>

type NamedParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & NamedParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : Record<never, never>

export type Endpoint = Says & { method: Method; path: string }

type Maker<M extends Method> = <const Path extends string, const S extends Says = Record<never, never>>(
  path: Path,
  says?: S,
) => { method: M; path: Path } & S

// The notes are for the bundler of the web app: it leaves out endpoints that no page calls, with their schemas.
export const get: Maker<'GET'> = /* @__NO_SIDE_EFFECTS__ */ (path, says) => ({ method: 'GET', path, ...says }) as never
export const post: Maker<'POST'> = /* @__NO_SIDE_EFFECTS__ */ (path, says) =>
  ({ method: 'POST', path, ...says }) as never
export const put: Maker<'PUT'> = /* @__NO_SIDE_EFFECTS__ */ (path, says) => ({ method: 'PUT', path, ...says }) as never
export const patch: Maker<'PATCH'> = /* @__NO_SIDE_EFFECTS__ */ (path, says) =>
  ({ method: 'PATCH', path, ...says }) as never
export const del: Maker<'DELETE'> = /* @__NO_SIDE_EFFECTS__ */ (path, says) =>
  ({ method: 'DELETE', path, ...says }) as never
