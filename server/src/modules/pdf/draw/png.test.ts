import { describe, expect, it } from 'vitest'
import { pngOf } from '#test/harness/pdfs.ts'
import { isDrawablePng } from './png.ts'

const changed = (at: number, value: number): Buffer => {
  const file = pngOf(8)
  file[at] = value
  return file
}

describe('a drawn signature', () => {
  it('is a small PNG as a canvas exports it', async () => {
    expect(await isDrawablePng(pngOf(8))).toBe(true)
  })

  it.each<[string, () => Buffer]>([
    ['is no PNG', () => Buffer.from('GIF89a')],
    ['is cut off', () => pngOf(8).subarray(0, -20)],
    ['has a wrong checksum', () => changed(20, 9)],
    ['is too large', () => pngOf(1_500)],
    ['has damaged pixels', () => changed(45, 0)],
    ['is empty', () => Buffer.alloc(0)],
  ])('is refused when it %s', async (_name, make) => {
    expect(await isDrawablePng(make())).toBe(false)
  })
})
