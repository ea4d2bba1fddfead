import { hiddenSecret } from '@chancery/contract/plugins/secret-headers.ts'
import { describe, expect, it } from 'vitest'
import { graphOf, node } from '../../kinds/sample.ts'
import { lostSecrets, withoutSecrets, withStoredSecrets } from './secrets.ts'

const request = (config: object) => node('call', 'http_request', { url: 'https://a.test', ...config })
const alone = (config: object) => ({ nodes: [request(config)], edges: [] })

describe('secrets', () => {
  it('are not copied', () => {
    const copy = withoutSecrets(request({ authorization: 'Bearer x', headers: { 'X-Api-Key': 'y', accept: 'z' } }))
    expect(copy.config).toEqual({ url: 'https://a.test', headers: { 'X-Api-Key': '', accept: 'z' } })
  })

  it('are hidden once saved', () => {
    const typed = alone({ authorization: 'Bearer x', headers: { Cookie: 'y' } })
    const reply = alone({ authorization: hiddenSecret, headers: { Cookie: hiddenSecret } })
    expect(withStoredSecrets(typed, reply)).toEqual(reply)
  })

  it('are removed where the server dropped them', () => {
    const stored = alone({ authorization: hiddenSecret })
    expect(withStoredSecrets(stored, alone({ authorization: null }))).toEqual(alone({}))
  })

  it('are reported by node name if they must be entered again', () => {
    const { name } = request({})
    const stored = alone({ authorization: hiddenSecret, headers: { Cookie: hiddenSecret } })
    expect(lostSecrets(stored, stored)).toEqual([])
    expect(lostSecrets(stored, alone({ authorization: null, headers: { Cookie: '' } }))).toEqual([name])
    expect(lostSecrets(stored, alone({ authorization: hiddenSecret, headers: { Cookie: '' } }))).toEqual([name])
    expect(lostSecrets(alone({ headers: { Cookie: '' } }), alone({ headers: { Cookie: '' } }))).toEqual([])
  })

  it('leave the graph unchanged if nothing differs', () => {
    for (const graph of [graphOf('a b'), alone({}), alone({ authorization: hiddenSecret })])
      expect(withStoredSecrets(graph, structuredClone(graph))).toBe(graph)
  })
})
