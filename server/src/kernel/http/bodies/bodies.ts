/**
 * Reads bodies strictly: valid UTF-8, no poisoned prototypes, no text that PostgreSQL could not store. JSON everywhere,
 * forms only where a route asks for one: a form is what another site's page can send.
 */
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { parseExactly } from '../../json/exact-integers.ts'
import { assertStorableText } from '../../json/well-formed-text.ts'
import type { Accepts } from '../route.ts'

export const parseStrictly = (bytes: Buffer, parse: typeof parseExactly = JSON.parse): unknown => {
  if (!isUtf8(bytes)) throw new AppError('invalid_text')
  const raw = bytes.toString('utf8')
  if (raw === '') return undefined
  // Escapes can hide odd characters and keys; only such bodies pay for a closer look.
  const hasEscapes = raw.includes('\\u')
  let value: unknown
  try {
    value = parse(raw, hasEscapes || raw.includes('__proto__') ? refusePoisonedKeys : undefined)
  } catch (problem) {
    throw problem instanceof AppError ? problem : new AppError('invalid_json')
  }
  if (hasEscapes) assertStorableText(value)
  return value
}

const refusePoisonedKeys = (key: string, value: unknown): unknown => {
  if (key === '__proto__') throw new AppError('unsafe_key')
  return value
}

/** Fields of a form as an object of strings; the last of two with one name counts. */
const parseForm = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw new AppError('invalid_text')
  const fields = Object.fromEntries(new URLSearchParams(bytes.toString('utf8')))
  assertStorableText(fields)
  return fields
}

export const isMultipart = ({ headers }: FastifyRequest): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')

/** With integers that keep their digits, whatever their size. */
export const parseStrictlyAndExactly = (bytes: Buffer): unknown => parseStrictly(bytes, parseExactly)

type Parse = (bytes: Buffer) => unknown
type Done = (problem: Error | null, body?: unknown) => void

const whole = { parseAs: 'buffer' } as const
const parseWhole =
  (parse: (request: FastifyRequest) => Parse) =>
  (request: FastifyRequest, bytes: Buffer, done: Done): void => {
    let body: unknown
    try {
      body = parse(request)(bytes)
    } catch (refusal) {
      done(refusal as Error)
      return
    }
    done(null, body)
  }

const parseJson = parseWhole(({ routeOptions }) =>
  routeOptions.config.keepsIntegers ? parseStrictlyAndExactly : parseStrictly,
)

export type BodyKind = Accepts | 'upload'

/** What the routes of this plugin take, and nothing else. */
export const acceptBodies = (server: FastifyInstance, kind: BodyKind = 'json'): void => {
  server.removeAllContentTypeParsers()
  if (kind === 'json') server.addContentTypeParser('application/json', whole, parseJson)
  if (kind === 'form')
    server.addContentTypeParser(
      'application/x-www-form-urlencoded',
      whole,
      parseWhole(() => parseForm),
    )
  if (kind === 'bytes') server.addContentTypeParser('*', whole, (_request, bytes, done) => done(null, bytes))
  else if (kind === 'stream') server.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  else
    server.addContentTypeParser('*', (request, payload, done) => {
      // An upload's body is left alone until its handler reads it.
      if (kind === 'upload' && isMultipart(request)) done(null, payload)
      else done(new AppError('unsupported_media_type'))
    })
}
