/**
 * Reads bodies strictly: valid UTF-8, no more parts than can be read in milliseconds, no poisoned prototypes, no text that
 * PostgreSQL could not store. JSON everywhere, forms only where a route asks for one: a form is what another site's page
 * can send.
 */
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { parseForeign, maxParts as usualParts } from '../../json/parse-foreign.ts'
import { assertStorableText } from '../../json/well-formed-text.ts'
import type { Accepts } from '../route.ts'
import { afterTurnOf } from './large-bodies.ts'
import { readBody } from './read-body.ts'

export const parseStrictly = (bytes: Buffer): unknown => readJson(bytes, { exactly: false })

/** With integers that keep their digits, whatever their size. */
export const parseStrictlyAndExactly = (bytes: Buffer): unknown => readJson(bytes, { exactly: true })

interface Reading {
  exactly: boolean
  maxParts?: number | undefined
}

const readJson = (bytes: Buffer, reading: Reading): unknown => {
  const raw = textOf(bytes)
  if (raw === '') return undefined
  const value = parse(raw, reading)
  // Escapes can hide odd characters and keys; only such bodies pay for a closer look.
  if (raw.includes('\\u') || raw.includes('__proto__')) assertStorableText(value)
  return value
}

const textOf = (bytes: Buffer): string => {
  if (!isUtf8(bytes)) throw new AppError('invalid_text')
  return bytes.toString('utf8')
}

const parse = (raw: string, { exactly, maxParts = usualParts }: Reading): unknown => {
  try {
    return parseForeign(raw, { exactly, maxParts, tooLarge: 'body_too_large', tooDeep: 'validation_failed' })
  } catch (problem) {
    throw problem instanceof AppError ? problem : new AppError('invalid_json')
  }
}

const maxFormFields = 1000

/** Fields of a form as an object of strings; the last of two with one name counts. */
const parseForm = (bytes: Buffer): unknown => {
  const raw = textOf(bytes)
  if (raw.split('&', maxFormFields + 1).length > maxFormFields) throw new AppError('body_too_large')
  const fields = Object.fromEntries(new URLSearchParams(raw))
  assertStorableText(fields)
  return fields
}

export const isMultipart = ({ headers }: FastifyRequest): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')

type Parse = (bytes: Buffer) => unknown

const doneWith = (parse: Parse, bytes: Buffer, done: (problem: Error | null, body?: unknown) => void): void => {
  let body: unknown
  try {
    body = parse(bytes)
  } catch (refusal) {
    done(refusal as Error)
    return
  }
  done(null, body)
}

export const acceptBodies = (server: FastifyInstance): void => {
  server.removeAllContentTypeParsers()
  const accept = (type: string | RegExp, kind: Accepts | undefined, parse: Parse) =>
    server.addContentTypeParser(type, (request, payload, done) => {
      // Once for each request: Fastify makes a new object for every access.
      const { bodyLimit, config } = request.routeOptions
      const { accepts = 'json', keepsIntegers, maxBodyParts, orJson } = config
      if (accepts === 'stream') {
        done(null, payload)
        return
      }
      const readAs: Parse = (bytes) => readJson(bytes, { exactly: keepsIntegers === true, maxParts: maxBodyParts })
      readBody(payload, bodyLimit, (problem, bytes) => {
        if (bytes === undefined) done(problem)
        else if (accepts === 'bytes') done(null, bytes)
        else if (accepts !== kind && !(orJson && kind === 'json')) done(new AppError('unsupported_media_type'))
        else
          doneWith(kind === 'json' ? readAs : parse, bytes, (refusal, body) =>
            afterTurnOf(request, bytes, () => done(refusal, body)),
          )
      })
    })
  accept('application/json', 'json', parseStrictly)
  // RFC 6839: `application/scim+json` and the like are JSON.
  accept(/^application\/[\w.-]+\+json\s*(;|$)/i, 'json', parseStrictly)
  accept('application/x-www-form-urlencoded', 'form', parseForm)
  server.addContentTypeParser('*', (request, payload, done) => {
    const { bodyLimit, config } = request.routeOptions
    const { accepts = 'json' } = config
    // An upload's body is left alone until its handler reads it.
    if (accepts === 'stream' || (accepts === 'upload' && isMultipart(request))) done(null, payload)
    else if (accepts === 'bytes') readBody(payload, bodyLimit, done)
    else done(new AppError('unsupported_media_type'))
  })
}
