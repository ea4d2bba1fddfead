/** The address of a call, and the types of what it takes and returns, from its endpoint. */
import type { z } from 'zod'
import type { ParamsOf } from '../endpoint.ts'

type Word = string | number | boolean | undefined

export type QueryOf<E> = E extends { query: infer Q extends z.ZodType }
  ? Partial<Record<keyof z.input<Q>, Word>>
  : undefined

/** What is sent is not changed, so it may be something that nobody may change. */
type Sendable<T> = T extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : T extends object
    ? { [Key in keyof T]: Sendable<T[Key]> }
    : T
export type BodyOf<E> = E extends { body: infer B extends z.ZodType } ? Sendable<z.input<B>> : undefined

export type ReplyOf<E> = E extends { reply: infer R extends z.ZodType } ? z.output<R> : undefined

interface Addressed {
  path: string
}

export type Place<E extends Addressed> = (keyof ParamsOf<E['path']> extends never
  ? { params?: undefined }
  : { params: ParamsOf<E['path']> }) & { query?: QueryOf<E> }

/** An argument that may be left out when all of its fields may. */
export type Needed<T> = [T] extends [{ params: object }] ? [T] : [T?]

/** `/api/admin/users` + `{page: 2, search: ''}` → `/api/admin/users?page=2`. */
export const withQuery = (path: string, query: Record<string, Word>): string => {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

/** For links and for calls of another kind. */
export const addressOf = <E extends Addressed>(endpoint: E, ...[place]: Needed<Place<E>>): string => {
  const params: Record<string, string> = place?.params ?? {}
  const path = endpoint.path
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    .replace(/\*$/, () => (params['*'] ?? '').split('/').map(encodeURIComponent).join('/'))
  return withQuery(path, place?.query ?? {})
}
