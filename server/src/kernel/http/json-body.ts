/** Reads JSON bodies strictly: valid UTF-8, no poisoned prototypes, no text that PostgreSQL could not store. */
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { assertStorableText } from '../json/well-formed-text.ts'

/** Escapes can hide odd characters and keys; only such bodies pay for a closer look. */
const hasEscapes = (raw: string) => raw.includes('\\u')
const mayPoison = (raw: string) => raw.includes('__proto__') || hasEscapes(raw)

const parseStrictly = (bytes: Buffer): unknown => {
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

export const acceptJsonOnly = (server: FastifyInstance): void => {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parseStrictly(bytes as Buffer))
    } catch (problem) {
      done(problem as Error)
    }
  })
}
