import { describe, expect, it } from 'vitest'
import { failureOf, filesOf, safeLink, sourcesOf } from './parts.ts'
import { message } from './sample.ts'

describe('the parts of a message', () => {
  it('opens only web URLs', () => {
    expect(safeLink('https://example.test/a')).toBe('https://example.test/a')
    for (const odd of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'JAVASCRIPT:x',
      'data:text/html,x',
      'file:///etc',
      '/here',
      '',
      7,
    ])
      expect(safeLink(odd)).toBeUndefined()
  })

  it('reads sources, and tolerates malformed ones', () => {
    const list = [
      {
        source: { name: 'Handbook', url: 'javascript:x' },
        document: ['A passage', 7],
        metadata: [{ url: 'https://example.test' }],
      },
      { metadata: [{ source: 'notes.txt' }] },
      'nothing',
      null,
    ]
    expect(sourcesOf(list)).toEqual([
      {
        name: 'Handbook',
        url: 'https://example.test',
        fileId: undefined,
        passages: [{ text: 'A passage', position: '' }],
      },
      { name: 'notes.txt', url: undefined, fileId: undefined, passages: [] },
    ])
    expect(sourcesOf('no list')).toEqual([])
  })

  it('reads failures and files', () => {
    expect(failureOf({ content: 'Away', code: 'provider_failed' })).toEqual({
      content: 'Away',
      code: 'provider_failed',
    })
    expect(failureOf(undefined)).toBeUndefined()
    expect(filesOf(message('a', { files: [{ name: 'a.pdf', size: 3 }, 'x'] }))).toEqual([
      { name: 'a.pdf', type: 'file', size: 3 },
    ])
    const urls = ['data:image/png;base64,aGk=', 'data:image/svg+xml;base64,aGk=', 'https://a.test/b', 'javascript:x']
    expect(filesOf(message('a', { files: urls.map((url) => ({ url })) })).map(({ url }) => url)).toEqual([
      urls[0],
      undefined,
      urls[2],
      undefined,
    ])
  })
})
