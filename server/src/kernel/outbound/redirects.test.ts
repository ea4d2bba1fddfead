import { describe, expect, it } from 'vitest'
import { type Hop, hopAfterRedirect } from './redirects.ts'

const hop: Hop = {
  method: 'GET',
  headers: { accept: 'text/html', authorization: 'Bearer x', 'x-key': 'y' },
  body: undefined,
}
const from = (origin: string, to: string, status = 302) => hopAfterRedirect(status, new URL(origin), new URL(to), hop)

describe('the request after a redirect', () => {
  it('never steps back from https to http, not even on the same host', () => {
    for (const to of ['http://a.example/', 'http://a.example:443/', 'http://b.example/'])
      expect(() => from('https://a.example/', to)).toThrowError(expect.objectContaining({ code: 'outbound_blocked' }))
  })

  it('keeps every header on the same origin, and only harmless ones elsewhere', () => {
    expect(from('https://a.example/1', 'https://a.example:443/2').headers).toEqual(hop.headers)
    for (const to of ['https://b.example/', 'https://a.example:8443/', 'https://sub.a.example/'])
      expect(from('https://a.example/', to).headers).toEqual({ accept: 'text/html' })
    expect(from('http://a.example/', 'https://a.example/').headers).toEqual({ accept: 'text/html' })
  })
})
