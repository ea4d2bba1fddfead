import { expect, it } from 'vitest'
import { margin, textSize } from './text-size.ts'

/** Measured in the interface's font: the width at a size of 1. */
const measured: readonly (readonly [text: string, width: number])[] = [
  ['November 19, 2026', 9.21],
  ['19. November 2026', 9.21],
  ['Hamburg, Speicherstraße 14', 13.44],
  ['MARLOW COFFEE GMBH', 11.99],
  ['1234567890', 5.93],
]

it.each(measured)('%s fits a field of a document from text', (text, width) => {
  const room = { width: 96, height: 18 }
  expect(textSize(text, room) * width).toBeLessThanOrEqual(room.width - 2 * margin)
})

it('is never larger than the text around it', () => expect(textSize('A', { width: 300, height: 40 })).toBe(12))
