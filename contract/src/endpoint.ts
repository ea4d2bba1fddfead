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

const of =
  <const M extends Method>(method: M) =>
  /** Nothing but the value is made, so bundlers leave out the endpoints that nobody uses. */
  <const Path extends string, const S extends Says = Record<never, never>>(path: Path, says?: S) => ({
    method,
    path,
    ...(says as S),
  })

export const get = of('GET')
export const post = of('POST')
export const put = of('PUT')
export const patch = of('PATCH')
export const del = of('DELETE')
