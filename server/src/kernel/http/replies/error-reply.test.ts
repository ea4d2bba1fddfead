import { expect, it } from 'vitest'
import { asAppError } from './error-reply.ts'

const withCode = (code: string) => Object.assign(new Error('read ECONNRESET'), { code })

it.each([
  ['the disk of the database is full', withCode('53100'), 'database_full'],
  ['the database has no free connection', withCode('53300'), 'database_unavailable'],
  ['the database is a standby', withCode('25006'), 'database_unavailable'],
  ['the database restarts', withCode('57P03'), 'database_unavailable'],
  ['a connection was cut', withCode('ECONNRESET'), 'database_unavailable'],
  ['a connection ended', new Error('Connection terminated unexpectedly'), 'database_unavailable'],
  ['connecting took too long', new Error('Connection terminated due to connection timeout'), 'database_unavailable'],
  [
    'a broken connection was used',
    new Error('Client has encountered a connection error and is not queryable'),
    'database_unavailable',
  ],
  ['a statement was wrong', withCode('42601'), 'internal_error'],
  ['anything else was thrown', 'a text', 'internal_error'],
])('a request that fails because %s gets its own code', (_why, problem, code) => {
  expect(asAppError(problem).code).toBe(code)
})
