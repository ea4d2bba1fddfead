import { ToolServerBody } from '@chancery/contract/plugins/tool-servers.ts'
import { expect, it } from 'vitest'
import { problemText } from '#lib/problems/problem-text.ts'
import { choicesOf, headerProblem, headersFrom, headersText, serverBody } from './server-body.ts'

it('reads headers line by line, and writes them back', () => {
  const headers = headersFrom(' X-User: {{USER_EMAIL}} \n\nX-Url: http://a:1\nbroken')
  expect(headers).toEqual({ 'X-User': '{{USER_EMAIL}}', 'X-Url': 'http://a:1', broken: '' })
  expect(headersText({ a: 'b', c: 'd' })).toBe('a: b\nc: d')
})

it('says what a line without a colon lacks', () => {
  const refused = ToolServerBody.shape.headers.safeParse(headersFrom('X-User {{USER_EMAIL}}'))
  expect(headerProblem({ headers: problemText(refused.error?.issues[0]?.message ?? '') })).toBe(
    'Write a name, a colon and a value in each line.',
  )
  expect(headerProblem({ url: 'Enter a URL.' })).toBeUndefined()
})

it('sends a key only where one was typed and is used', () => {
  const choices = { ...choicesOf(undefined), authType: 'bearer' as const }
  expect(serverBody({ id: 'docs', url: ' https://a.test ', key: 'secret' }, choices, undefined)).toMatchObject({
    id: 'docs',
    url: 'https://a.test',
    key: 'secret',
    auth_type: 'bearer',
  })
  expect(serverBody({ key: '' }, choices, undefined)).not.toHaveProperty('key')
  expect(serverBody({ key: 'x' }, { ...choices, authType: 'none' }, undefined)).not.toHaveProperty('key')
})

it('has no sign-in for OpenAPI servers', () => {
  const choices = { ...choicesOf(undefined), type: 'openapi' as const, authType: 'oauth_2.1' as const }
  expect(serverBody({ path: 'api.json' }, choices, undefined)).toMatchObject({ auth_type: 'none', path: 'api.json' })
})
