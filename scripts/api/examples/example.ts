/** An example of an endpoint: types hold it against the contract here, and a test against the schemas. */
import type { z } from 'zod'
import type { Endpoint, ParamsOf } from '../../../contract/src/endpoint.ts'
import type { ErrorCode } from '../../../contract/src/errors.ts'
import { keyOf } from '../contract-names.ts'

export interface Example {
  /** What callers should know and no schema says. */
  note?: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  reply?: unknown
  /** A reply that the handler writes itself, by content type. */
  raw?: Readonly<Record<string, unknown>>
  /** What the use case refuses, beside what every such route does. */
  errors?: readonly ErrorCode[]
}

type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : never

interface Given<E extends Endpoint> extends Example {
  params?: ParamsOf<E['path']>
  body?: E extends { body: infer Body } ? Input<Body> : never
  reply?: E extends { reply: infer Reply } ? Input<Reply> : unknown
}

export const example = <const E extends Endpoint>(endpoint: E, given: Given<E>): [string, Example] => [
  keyOf(endpoint),
  given,
]

/** Ids and times that all examples share, so that one leads to the next. */
export const sample = {
  user: '018f4e7a-9d2c-7c31-b0b5-1c6f2a9e4d70',
  organization: '018f4e7a-1111-7c31-b0b5-1c6f2a9e4d70',
  event: '018f4e7b-2f60-7a52-8c1d-6a0f4b7d9e11',
  workflow: '018f4e7c-51aa-7b3e-9f20-0d5c8e7a6b12',
  version: '018f4e7c-77b0-7e44-8a31-4b9d0c2e5f13',
  run: '018f4e7d-08c4-7f10-b542-9e1a3c5d7b14',
  document: '018f4e7e-3b19-7d08-a653-2f4b6d8c0e15',
  recipient: '018f4e7e-90de-7c27-8764-5d7f9b1a3c16',
  file: '018f4e7f-6a42-7e39-9875-8c0e2a4b6d17',
  collection: '018f4e80-14f7-7a4b-a986-1b3d5f7c9e18',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  isoTime: '2026-11-19T09:30:00.000Z',
  seconds: 1_795_080_600,
  milliseconds: 1_795_080_600_000,
} as const
