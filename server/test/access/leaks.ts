/** Texts that no reply may ever show: our stack, our SQL, our files. */
import { expect } from 'vitest'

const inside =
  /node_modules|\bat \S+ \(|\.ts:\d|file:\/\/|\/(?:home|root|tmp|usr|var|work)\/|\b(?:select|insert into|update|delete from)\s+["\w]+|syntax error|violates|relation "|postgres|kysely|zoderror/i

export const expectNoLeak = (text: string): void => expect(text).not.toMatch(inside)

/** The one error body, with a given code where it matters. */
export const expectErrorBody = (text: string, code?: string): void => {
  // SCIM's clients read `schemas`, `status` and `scimType` along.
  const { error, type, schemas, status, scimType, ...body } = JSON.parse(text)
  if (schemas !== undefined) expect(typeof status).toBe('string')
  expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'request_id'])
  // SDKs of the chat-completion API read along here; clients of local runtimes expect a text.
  if (error !== undefined && typeof error !== 'string')
    expect(Object.keys(error).sort()).toEqual(
      // The messages format names the whole body an error.
      type === undefined ? ['code', 'message', 'param', 'type'] : ['message', 'type'],
    )
  if (type !== undefined) expect(type).toBe('error')
  expect(body.request_id).toMatch(/^[\w-]{8,40}$/)
  if (code !== undefined) expect(body.code).toBe(code)
  expectNoLeak(text)
}
