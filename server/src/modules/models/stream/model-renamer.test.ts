import { describe, expect, it } from 'vitest'
import { FrameReader } from './frame-reader.ts'

const frame = (chunk: unknown, lineEnd = '\n') => `data: ${JSON.stringify(chunk)}${lineEnd}${lineEnd}`

const renamed = (...pieces: string[]): string[] => {
  const reader = new FrameReader({ clean: (value) => value, model: 'ours' })
  return pieces.map((piece) => String(reader.read(Buffer.from(piece))))
}

describe('the model that frames name', () => {
  it('stays where the provider uses the same name', () => {
    const pieces = [frame({ model: 'ours', n: 1 }) + frame({ model: 'ours', n: 2 }), frame({ model: 'ours', n: 3 })]
    expect(renamed(...pieces)).toEqual(pieces)
  })

  it.each([
    ['with either line end', frame({ model: 'theirs' }, '\r\n'), frame({ model: 'ours' }, '\r\n')],
    ['with a space before the value', 'data: {"model": "theirs"}\n\n', 'data: {"model": "ours"}\n\n'],
    ['that begins as ours does', frame({ model: 'ours-large' }), frame({ model: 'ours' })],
    [
      'after a member that names ours',
      frame({ a: { model: 'ours' }, model: 'x' }),
      frame({ a: { model: 'ours' }, model: 'ours' }),
    ],
  ])('becomes ours %s', (_case, theirs, ours) => {
    expect(renamed(theirs, theirs)).toEqual([ours, ours])
  })

  it('is learned from the first frame that has one', () => {
    expect(renamed(frame({ a: 1 }), frame({ model: 'theirs' }))).toEqual([frame({ a: 1 }), frame({ model: 'ours' })])
  })
})
