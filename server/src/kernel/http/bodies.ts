/**
 * Reads bodies strictly: valid UTF-8, no poisoned prototypes, no text that PostgreSQL could not store. JSON everywhere,
 * forms only where a route asks for one: a form is what another site's page can send.
 */
import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { assertStorableText } from '../json/well-formed-text.ts'
import type { Accepts } from './route.ts'

/** Escapes can hide odd characters and keys; only such bodies pay for a closer look. */
const hasEscapes = (raw: string) => raw.includes('\\u')
const mayPoison = (raw: string) => raw.includes('__proto__') || hasEscapes(raw)

export const parseStrictly = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw new AppError('invalid_text')
  const raw = bytes.toString('utf8')
  if (raw === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(raw, mayPoison(raw) ? refusePoisonedKeys : undefined)
  } catch (problem) {
    throw problem instanceof AppError ? problem : new AppError('invalid_json')
  }
  if (hasEscapes(raw)) assertStorableText(value)
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

type Parse = (bytes: Buffer) => unknown

const acceptsOf = (request: FastifyRequest): Accepts => request.routeOptions.config.accepts ?? 'json'

export const acceptBodies = (server: FastifyInstance): void => {
  server.removeAllContentTypeParsers()
  const accept = (type: string, kind: Accepts | undefined, parse: Parse) =>
    server.addContentTypeParser(type, { parseAs: 'buffer' }, (request, bytes, done) => {
      const accepts = acceptsOf(request)
      try {
        if (accepts === 'bytes') done(null, bytes)
        else if (accepts === kind) done(null, parse(bytes as Buffer))
        else throw new AppError('unsupported_media_type')
      } catch (problem) {
        done(problem as Error)
      }
    })
  accept('application/json', 'json', parseStrictly)
  accept('application/x-www-form-urlencoded', 'form', parseForm)
  server.addContentTypeParser('*', (request, payload, done) => {
    if (acceptsOf(request) === 'stream') done(null, payload)
    else if (acceptsOf(request) === 'bytes') gather(request, payload).then((bytes) => done(null, bytes), done)
    else done(new AppError('unsupported_media_type'))
  })
}

const gather = async (request: FastifyRequest, payload: Readable): Promise<Buffer> => {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of payload as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > request.routeOptions.bodyLimit) throw new AppError('body_too_large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces, size)
}
