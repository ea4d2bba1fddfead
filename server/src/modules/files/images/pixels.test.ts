import { describe, expect, it } from 'vitest'
import { onWhite, orientationOf, turned } from './pixels.ts'

const pixel = (value: number) => [value, value, value, 255]
/** Two wide, three high: 1 2 / 3 4 / 5 6. */
const picture = { width: 2, height: 3, data: Uint8Array.from([1, 2, 3, 4, 5, 6].flatMap(pixel)) }
const valuesOf = ({ data }: { data: Uint8Array }) => [...data].filter((_value, index) => index % 4 === 0)

describe('a picture that a camera marked as turned', () => {
  it.each([
    [1, [2, 3], [1, 2, 3, 4, 5, 6]],
    [2, [2, 3], [2, 1, 4, 3, 6, 5]],
    [3, [2, 3], [6, 5, 4, 3, 2, 1]],
    [4, [2, 3], [5, 6, 3, 4, 1, 2]],
    [5, [3, 2], [1, 3, 5, 2, 4, 6]],
    [6, [3, 2], [5, 3, 1, 6, 4, 2]],
    [7, [3, 2], [6, 4, 2, 5, 3, 1]],
    [8, [3, 2], [2, 4, 6, 1, 3, 5]],
    [99, [2, 3], [1, 2, 3, 4, 5, 6]],
  ])('as %i is put upright', (orientation, size, values) => {
    const upright = turned(picture, orientation)
    expect([upright.width, upright.height]).toEqual(size)
    expect(valuesOf(upright)).toEqual(values)
  })

  it.each(['II', 'MM'])('says so in its header, in either order of bytes (%s)', (order) => {
    const isLittle = order === 'II'
    const bytes = new Uint8Array(2 + 4 + 6 + 8 + 2 + 12)
    const view = new DataView(bytes.buffer)
    view.setUint32(0, 0xffd8ffe1)
    view.setUint16(4, bytes.length - 4)
    bytes.set(Buffer.from(`Exif\0\0${order}`), 6)
    view.setUint16(14, 42, isLittle)
    view.setUint32(16, 8, isLittle)
    view.setUint16(20, 1, isLittle)
    view.setUint16(22, 0x0112, isLittle)
    view.setUint16(30, 6, isLittle)
    expect(orientationOf(bytes)).toBe(6)
    for (let length = 0; length < bytes.length; length += 1)
      expect([1, 6]).toContain(orientationOf(bytes.slice(0, length)))
  })

  it('is upright where nothing is said', () => {
    expect(orientationOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47))).toBe(1)
    expect(orientationOf(Uint8Array.of(0xff, 0xd8, 0xff, 0xda, 0, 2))).toBe(1)
  })
})

it('what is transparent becomes white', () => {
  expect([...onWhite(Uint8Array.of(10, 20, 30, 0, 100, 100, 100, 255))]).toEqual([
    255, 255, 255, 255, 100, 100, 100, 255,
  ])
})
