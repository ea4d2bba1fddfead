/** Calls another server. */
import { isOwnedByConnection } from '#kernel/outbound/request-headers.ts'
import type { FieldProblem } from '../fields/field-problem.ts'
import { problem } from './checks.ts'
import type { NodeKind } from './kind.ts'

export const httpRequest: NodeKind<'http_request'> = {
  texts: ['url', 'headers', 'body'],
  check: ({ url, headers, authorization, credential_id }) => [
    ...address(url),
    ...(authorization && credential_id !== undefined
      ? [problem(['credential_id'], 'excludes authorization: use one of the two')]
      : []),
    ...sentHeaders(headers),
  ],
  isOutward: true,
  isCall: true,
  hasSideEffects: ({ method }) => (method ?? 'GET') !== 'GET',
  refersTo: { kind: 'credential', field: 'credential_id' },
  secrets: ['authorization'],
}

const address = (url: string): FieldProblem[] => {
  if (!/^(https?:\/\/|\{\{)/i.test(url)) return [problem(['url'], 'must start with http:// or https://')]
  if (/^https?:\/\/[^/?#\\]*@/i.test(url))
    return [problem(['url'], 'must not contain a password; use authorization, which is stored encrypted')]
  return []
}

const sentHeaders = (headers: Record<string, string> = {}): FieldProblem[] =>
  Object.keys(headers)
    .filter(isOwnedByConnection)
    .map((name) => problem(['headers', name], 'is set by the connection and never sent'))
