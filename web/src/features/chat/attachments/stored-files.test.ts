import { describe, expect, it } from 'vitest'
import { parseStoredFiles } from './stored-files.ts'

describe('the stored files of a draft', () => {
  it('are read as they were stored', () => {
    const files = [
      { type: 'file', id: 'a', name: 'a.pdf', size: 7, isUpload: true },
      { type: 'collection', id: 'b', name: 'Letters' },
    ]
    expect(parseStoredFiles(JSON.stringify(files))).toEqual(files)
  })

  it.each([undefined, '', '{', '{}', '7', 'null', '[7, null, {"id": "x"}, {"type": "event", "id": "x"}]'])(
    'are none in %j',
    (text) => {
      expect(parseStoredFiles(text)).toEqual([])
    },
  )
})
